-- hits_by_position: one row per hit and rank, from the hit's own rank to the largest cutoff.
SELECT hits.list_id, positions.rank
FROM hits
JOIN positions ON hits.rank <= positions.rank
