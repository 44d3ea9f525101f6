-- sampled_list_counts: one row per sampled list and system, with the numbers of recommendations and of distinct items.
SELECT list_id, COUNT(item) AS n_items, COUNT(DISTINCT item) AS n_distinct_items
FROM sampled_recommendations
GROUP BY list_id
