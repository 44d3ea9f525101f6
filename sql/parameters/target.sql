-- target: the share of the recommendations that a category should have.
SELECT
  n_items / SUM(n_items) OVER (PARTITION BY fold_id) AS catalog, -- its share of the catalogue items; an item with several categories counts in equal parts in each
  CAST(1 AS DOUBLE) / COUNT(*) OVER (PARTITION BY fold_id) AS equal -- the same share for every category
FROM category_sizes
