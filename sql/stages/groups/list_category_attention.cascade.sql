-- list_category_attention: one row per list and category, with its attention: the weights of its ranks among the first k, each times the share of the readers who get there.
--
-- An item with several categories gives each an equal part of the weight of its rank.
-- when: attention = cascade
SELECT list_id, category, SUM($discount * reached / n_categories) AS attention
FROM reached_catalog_categories
WHERE rank <= $k
GROUP BY list_id, category
