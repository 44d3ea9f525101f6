-- sampled_hits_of_any: pairs of a recommendation of a sampled list and a sampled list for which the item is relevant
SELECT COALESCE(SUM(n_rows * n_lists), 0) AS sampled_hits_of_any
FROM sampled_item_counts
