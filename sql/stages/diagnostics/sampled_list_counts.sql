-- sampled_list_counts: the number of recommendations and of distinct items in each sampled list.
SELECT list_id, COUNT(item) AS n_items, COUNT(DISTINCT item) AS n_distinct_items
FROM sampled_recommendations
GROUP BY list_id
