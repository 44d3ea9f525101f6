-- sampled_relevant_pairs: pairs of sampled lists for which the same item is relevant, each list also with itself
SELECT COALESCE(SUM(n_lists * n_lists), 0) AS sampled_relevant_pairs
FROM sampled_item_frequencies
