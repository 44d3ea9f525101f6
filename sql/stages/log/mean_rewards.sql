-- mean_rewards: one row per list, item and position of the log, with the mean reward of the item there.
SELECT log_id, item, rank, AVG(reward) AS mean_reward
FROM rewarded
GROUP BY log_id, item, rank
