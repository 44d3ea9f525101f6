-- user_counts: the number of users (lists of the history) in each fold.
SELECT fold_id, COUNT(*) AS n_all_users
FROM history_lists
GROUP BY fold_id
