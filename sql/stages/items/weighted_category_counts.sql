-- weighted_category_counts: the weight of each category among the first k ranks of a list.
SELECT list_id, category, SUM($weight) AS weight
FROM recommended_categories
WHERE rank <= $k
GROUP BY list_id, category
