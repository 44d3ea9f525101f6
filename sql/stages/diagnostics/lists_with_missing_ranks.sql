-- lists_with_missing_ranks: the lists that have recommendations without a rank.
SELECT list_id
FROM recommended_list_counts
WHERE n_without_rank > 0
