-- sampled_popularity: for how many of the sampled lists each item is relevant.
SELECT item, COUNT(*) AS n_lists
FROM sampled_relevant
GROUP BY item
