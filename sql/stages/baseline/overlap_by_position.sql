-- overlap_by_position: one row per list, item that its baseline has too, and rank from the item's own rank to the largest cutoff.
SELECT overlap.list_id, positions.rank
FROM overlap
JOIN positions ON overlap.rank <= positions.rank
