-- list_category_attention: one row per list and category, with its attention: the weights of its ranks among the first k.
--
-- An item with several categories gives each an equal part of the weight of its rank.
SELECT list_id, category, SUM($discount / n_categories) AS attention
FROM recommended_catalog_categories
WHERE rank <= $k
GROUP BY list_id, category
