-- popularity_levels: one row per fold and popularity, with the number of items that have it.
SELECT fold_id, n_users, COUNT(*) AS n_items
FROM popularity
GROUP BY fold_id, n_users
