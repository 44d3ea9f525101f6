-- fold_category_counts: one row per fold, with the number of distinct categories.
SELECT fold_id, COUNT(DISTINCT category) AS n_all_categories
FROM categories
GROUP BY fold_id
