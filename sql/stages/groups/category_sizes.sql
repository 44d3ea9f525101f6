-- category_sizes: one row per fold and category, with its number of catalogue items. An item with several categories counts in equal parts in each.
SELECT fold_id, category, SUM(CAST(1 AS DOUBLE) / n_categories) AS n_items
FROM catalog_categories
GROUP BY fold_id, category
