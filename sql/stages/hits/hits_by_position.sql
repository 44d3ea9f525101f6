-- hits_by_position: each hit, repeated for every rank from its own to the largest cutoff.
SELECT hits.list_id, positions.rank
FROM hits
JOIN positions ON hits.rank <= positions.rank
