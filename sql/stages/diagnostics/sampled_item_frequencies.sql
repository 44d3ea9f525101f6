-- sampled_item_frequencies: one row per item, with the number of sampled lists for which it is relevant.
SELECT item, COUNT(*) AS n_lists
FROM sampled_relevant
GROUP BY item
