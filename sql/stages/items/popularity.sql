-- popularity: the number of users (lists of the history) who have each item, in each fold.
SELECT fold_id, item, COUNT(*) AS n_users
FROM history_items
GROUP BY fold_id, item
