-- sampled_counts: how many lists are sampled.
SELECT COUNT(*) AS n_sampled
FROM sampled_lists
