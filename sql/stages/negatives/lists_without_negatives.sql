-- lists_without_negatives: one row per list that has no negatives.
SELECT list_id
FROM list_negative_counts
WHERE n_negatives = 0
