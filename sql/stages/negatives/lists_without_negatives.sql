-- lists_without_negatives: the lists that have no negatives.
SELECT list_id
FROM list_negative_counts
WHERE n_negatives = 0
