-- popularity_levels: the number of items that have each popularity.
SELECT fold_id, n_users, COUNT(*) AS n_items
FROM popularity
GROUP BY fold_id, n_users
