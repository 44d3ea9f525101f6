-- lists_with_missing_ranks: one row per list that has recommendations without a rank.
SELECT list_id
FROM recommended_list_counts
WHERE n_without_rank > 0
