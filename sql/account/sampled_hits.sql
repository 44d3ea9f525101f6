-- sampled_hits: relevant recommendations of the sampled lists
SELECT COUNT(*) AS sampled_hits
FROM sampled_hits
