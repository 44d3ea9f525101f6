-- catalog_item_counts: one row per system, with the number of items that could be recommended.
--
-- Of several folds, it is the largest of their numbers.
SELECT fold_list_counts.by_id, MAX(catalog_sizes.n_items) AS n_items
FROM fold_list_counts
JOIN catalog_sizes ON fold_list_counts.fold_id = catalog_sizes.fold_id
GROUP BY fold_list_counts.by_id
