-- sampled_hits: recommendations of the sampled lists that are relevant
SELECT COALESCE(SUM(n_hits), 0) AS sampled_hits
FROM sampled_list_counts
