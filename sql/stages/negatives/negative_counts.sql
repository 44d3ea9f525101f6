-- negative_counts: the number of negatives of each truth list that has any.
SELECT truth_id, COUNT(*) AS n_negatives
FROM negatives
GROUP BY truth_id
