-- list_category_weights: one row per list and category, with its weight among the first k ranks. Each item splits a weight of 1 among its categories.
SELECT list_id, category, SUM(CAST(1 AS DOUBLE) / n_categories) AS weight
FROM recommended_categories
WHERE rank <= $k
GROUP BY list_id, category
