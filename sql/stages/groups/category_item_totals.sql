-- category_item_totals: one row per system and category, with its number of items. An item with several categories counts in equal parts in each.
--
-- The condition always holds. Without it, where a row of the summary is all lists, no column of the lists would be read.
SELECT fold_list_counts.by_id, categories.category, SUM(CAST(1 AS DOUBLE) / item_category_counts.n_categories) AS n_items
FROM categories
JOIN item_category_counts ON categories.fold_id = item_category_counts.fold_id AND categories.item = item_category_counts.item
JOIN fold_list_counts ON categories.fold_id = fold_list_counts.fold_id
WHERE fold_list_counts.n_lists > 0
GROUP BY fold_list_counts.by_id, categories.category
