-- popularity_tie_order: the items that have a popularity, numbered among the equally popular items.
SELECT fold_id, item, n_users, ROW_NUMBER() OVER (PARTITION BY fold_id, n_users ORDER BY item) AS tie_position
FROM popularity
