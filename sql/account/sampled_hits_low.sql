-- sampled_hits_low: sampled hits in the lower half of their list
SELECT COALESCE(SUM(is_low), 0) AS sampled_hits_low
FROM sampled_hits
