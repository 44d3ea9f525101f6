-- popularity_levels: each popularity that a known item has, with how many items have it.
SELECT n_users, COUNT(*) AS n_items
FROM popularity
GROUP BY n_users
