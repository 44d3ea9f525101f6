-- item_category_counts: the number of categories of each item.
SELECT fold_id, item, COUNT(*) AS n_categories
FROM categories
GROUP BY fold_id, item
