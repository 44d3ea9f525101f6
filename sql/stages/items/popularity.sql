-- popularity: one row per fold and item, with the number of users (lists of the history) who have it.
SELECT fold_id, item, COUNT(*) AS n_users
FROM history_items
GROUP BY fold_id, item
