-- sampled_hits_low: sampled hits in the lower half of their list
SELECT COALESCE(SUM(n_low), 0) AS sampled_hits_low
FROM sampled_list_counts
