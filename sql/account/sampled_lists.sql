-- sampled_lists: lists of the truth that are sampled: the first 500
SELECT COUNT(*) AS sampled_lists
FROM sampled_lists
