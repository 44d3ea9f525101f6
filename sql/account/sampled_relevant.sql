-- sampled_relevant: relevant items of the sampled lists
SELECT COUNT(*) AS sampled_relevant
FROM sampled_relevant
