-- lists_with_unranked_negatives: the lists that do not rank all of their negatives.
SELECT list_id
FROM list_negative_counts
WHERE n_negatives_ranked < n_negatives
