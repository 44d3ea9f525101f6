-- sampled_lists_recommended: sampled lists that have recommendations
SELECT COUNT(*) AS sampled_lists_recommended
FROM sampled_list_counts
