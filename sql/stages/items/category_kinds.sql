-- category_kinds: how many different categories there are.
SELECT fold_id, COUNT(DISTINCT category) AS n_kinds
FROM categories
GROUP BY fold_id
