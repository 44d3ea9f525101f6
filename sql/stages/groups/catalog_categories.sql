-- catalog_categories: one row per fold, catalogue item and category of the item, with the number of its categories.
SELECT catalog_items.fold_id, categories.fold_id, categories.item, categories.category, item_category_counts.n_categories
FROM categories
JOIN catalog_items ON categories.fold_id = catalog_items.fold_id AND categories.item = catalog_items.item
JOIN item_category_counts ON categories.fold_id = item_category_counts.fold_id AND categories.item = item_category_counts.item
