-- category_item_totals: one row per system and category, with its number of items. An item with several categories counts in equal parts in each.
SELECT fold_list_counts.by_id, categories.category, SUM(CAST(1 AS DOUBLE) / item_category_counts.n_categories) AS n_items
FROM categories
JOIN item_category_counts ON categories.fold_id = item_category_counts.fold_id AND categories.item = item_category_counts.item
JOIN fold_list_counts ON categories.fold_id = fold_list_counts.fold_id
GROUP BY fold_list_counts.by_id, categories.category
