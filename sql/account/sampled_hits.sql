-- sampled_hits: recommendations of the sampled lists that are relevant
SELECT COUNT(*) AS sampled_hits
FROM sampled_hits
