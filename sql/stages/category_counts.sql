-- category_counts: how many categories each item has.
SELECT item, COUNT(*) AS n_categories
FROM categories
GROUP BY item
