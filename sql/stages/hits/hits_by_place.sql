-- hits_by_place: for each hit, every place from its own down to the deepest cutoff.
SELECT hits.list_id, places.rank
FROM hits
JOIN places ON hits.rank <= places.rank
