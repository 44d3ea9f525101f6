-- known_category_counts: one row per list of the history and category, with the number of catalogue items of the category that the history has.
SELECT history_items.history_id, catalog_categories.category, COUNT(*) AS n_known
FROM history_items
JOIN catalog_categories ON history_items.fold_id = catalog_categories.fold_id AND history_items.item = catalog_categories.item
GROUP BY history_items.history_id, catalog_categories.category
