-- sampled_item_frequencies: the number of sampled lists in which each item is relevant.
SELECT item, COUNT(*) AS n_lists
FROM sampled_relevant
GROUP BY item
