-- sampled_hits_high: sampled hits in the upper half of their list
SELECT COALESCE(SUM(n_high), 0) AS sampled_hits_high
FROM sampled_list_counts
