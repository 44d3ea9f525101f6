-- item_category_counts: one row per fold and item, with the number of its categories.
SELECT fold_id, item, COUNT(*) AS n_categories
FROM categories
GROUP BY fold_id, item
