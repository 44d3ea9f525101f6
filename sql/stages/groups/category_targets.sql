-- category_targets: one row per fold and category, with the share that it should have.
SELECT fold_id, category, $target AS target
FROM category_sizes
