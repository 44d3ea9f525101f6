-- sampled_hits_low: of the sampled hits, those in the lower half of their list
SELECT COALESCE(SUM(is_low), 0) AS sampled_hits_low
FROM sampled_hits
