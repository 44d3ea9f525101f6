-- sampled_relevant_of_lists: relevant items of the sampled lists that have recommendations
SELECT COALESCE(SUM(n_relevant), 0) AS sampled_relevant_of_lists
FROM sampled_list_counts
