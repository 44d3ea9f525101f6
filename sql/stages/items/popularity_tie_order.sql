-- popularity_tie_order: one row per fold and item that has a popularity, numbered among the equally popular items.
SELECT fold_id, item, n_users, ROW_NUMBER() OVER (PARTITION BY fold_id, n_users ORDER BY item) AS tie_position
FROM popularity
