-- sampled_hits_low_pairs: pairs of sampled hits of the same item in the lower halves of lists, each also with itself
SELECT COALESCE(SUM(n_low * n_low), 0) AS sampled_hits_low_pairs
FROM sampled_item_counts
