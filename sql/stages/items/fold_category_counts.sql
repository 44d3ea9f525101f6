-- fold_category_counts: the number of distinct categories in each fold.
SELECT fold_id, COUNT(DISTINCT category) AS n_all_categories
FROM categories
GROUP BY fold_id
