-- negative_counts: one row per truth list that has negatives, with their number.
SELECT truth_id, COUNT(*) AS n_negatives
FROM negatives
GROUP BY truth_id
