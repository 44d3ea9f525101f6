-- category_kinds: how many different categories there are.
SELECT COUNT(DISTINCT category) AS n_kinds
FROM categories
