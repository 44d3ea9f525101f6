-- sampled_relevant: relevant items of the sampled lists
SELECT COALESCE(SUM(n_relevant), 0) AS sampled_relevant
FROM sampled_lists
