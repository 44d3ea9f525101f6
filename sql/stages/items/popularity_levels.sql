-- popularity_levels: each popularity that a known item has, with how many items have it.
SELECT fold_id, n_users, COUNT(*) AS n_items
FROM popularity
GROUP BY fold_id, n_users
