-- catalog_sizes: one row per fold, with the number of items that could be recommended.
SELECT fold_id, COUNT(*) AS n_items
FROM catalog_items
GROUP BY fold_id
