-- position_averages: one row per position of the log, with the mean reward there and at the first position.
SELECT fold_id, rank, AVG(reward) AS reward
FROM rewarded
GROUP BY fold_id, rank
