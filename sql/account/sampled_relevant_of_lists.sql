-- sampled_relevant_of_lists: relevant items of the sampled lists that have recommendations
SELECT COUNT(*) AS sampled_relevant_of_lists
FROM sampled_list_relevance
