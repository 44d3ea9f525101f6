-- catalog_sizes: the number of items that could be recommended, in each fold.
SELECT fold_id, COUNT(*) AS n_items
FROM catalog_items
GROUP BY fold_id
