-- sampled_hits_high_pairs: pairs of sampled hits of the same item in the upper halves of lists, each also with itself
SELECT COALESCE(SUM(n_high * n_high), 0) AS sampled_hits_high_pairs
FROM sampled_item_counts
