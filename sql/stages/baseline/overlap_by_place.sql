-- overlap_by_place: for each item in common, every place from where both have it down to the deepest cutoff.
SELECT overlap.list_id, places.rank
FROM overlap
JOIN places ON overlap.rank <= places.rank
