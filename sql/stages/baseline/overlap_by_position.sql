-- overlap_by_position: each shared item, repeated for every rank from its own to the largest cutoff.
SELECT overlap.list_id, positions.rank
FROM overlap
JOIN positions ON overlap.rank <= positions.rank
