-- logger_rewards: one row per list and logger, with the mean weighted reward of the impressions that the logger showed to the list.
SELECT impression_rewards.list_id, impression_loggers.logger, AVG(impression_rewards.weighted_reward) AS weighted_reward
FROM impression_rewards
JOIN impression_loggers
  ON impression_rewards.log_id = impression_loggers.log_id
  AND impression_rewards.impression_id = impression_loggers.impression_id
GROUP BY impression_rewards.list_id, impression_loggers.logger
