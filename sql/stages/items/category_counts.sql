-- category_counts: how many categories each item has.
SELECT fold_id, item, COUNT(*) AS n_categories
FROM categories
GROUP BY fold_id, item
