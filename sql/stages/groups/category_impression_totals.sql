-- category_impression_totals: one row per system and recommended category, with the number of its recommendations among the first k of all lists.
--
-- An item with several categories counts in equal parts in each.
SELECT impressions.by_id, categories.category, SUM(CAST(1 AS DOUBLE) / item_category_counts.n_categories) AS n_impressions
FROM impressions
JOIN categories ON impressions.fold_id = categories.fold_id AND impressions.item = categories.item
JOIN item_category_counts ON impressions.fold_id = item_category_counts.fold_id AND impressions.item = item_category_counts.item
WHERE impressions.rank <= $k
GROUP BY impressions.by_id, categories.category
