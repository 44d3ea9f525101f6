-- user_counts: one row per fold, with the number of users (lists of the history).
SELECT fold_id, COUNT(*) AS n_all_users
FROM history_lists
GROUP BY fold_id
