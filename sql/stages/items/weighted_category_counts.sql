-- weighted_category_counts: one row per list and category, with its weight among the first k ranks.
SELECT list_id, category, SUM($weight) AS weight
FROM recommended_categories
WHERE rank <= $k
GROUP BY list_id, category
