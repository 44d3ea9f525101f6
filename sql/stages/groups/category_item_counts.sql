-- category_item_counts: one row per fold and category, with its number of catalogue items.
SELECT fold_id, category, COUNT(*) AS n_items
FROM catalog_categories
GROUP BY fold_id, category
