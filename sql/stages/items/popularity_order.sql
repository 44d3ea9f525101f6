-- popularity_order: the known items, each with its place among those as popular.
SELECT fold_id, item, n_users, ROW_NUMBER() OVER (PARTITION BY fold_id, n_users ORDER BY item) AS place
FROM popularity
