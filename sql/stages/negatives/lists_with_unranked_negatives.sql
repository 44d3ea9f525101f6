-- lists_with_unranked_negatives: one row per list that does not rank all of its negatives.
SELECT list_id
FROM list_negative_counts
WHERE n_negatives_ranked < n_negatives
