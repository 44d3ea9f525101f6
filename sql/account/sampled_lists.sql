-- sampled_lists: sampled lists: the first 500 of the truth
SELECT COUNT(*) AS sampled_lists
FROM sampled_lists
