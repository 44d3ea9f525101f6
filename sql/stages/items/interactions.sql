-- interactions: the popularity of all items together, and that of the least popular one, in each fold.
SELECT fold_id, SUM(n_users) AS n_interactions, MIN(n_users) AS fewest
FROM popularity
GROUP BY fold_id
