-- interaction_totals: one row per fold, with the total popularity of all items, and the lowest and the highest popularity of an item.
SELECT fold_id, SUM(n_users) AS n_interactions, MIN(n_users) AS fewest_users, MAX(n_users) AS most_users
FROM popularity
GROUP BY fold_id
