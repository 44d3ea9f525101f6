-- popularity: how many lists' owners know each item, by the history, in each fold anew.
SELECT fold_id, item, COUNT(*) AS n_users
FROM consumed
GROUP BY fold_id, item
