-- list_category_weights: the weight of each category among the first k ranks; an item splits 1 among its categories.
SELECT list_id, category, SUM(CAST(1 AS DOUBLE) / n_categories) AS weight
FROM recommended_categories
WHERE rank <= $k
GROUP BY list_id, category
