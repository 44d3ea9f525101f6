-- logger_deviations: one row per list and logger, with the weighted reward and what it differs by from the mean of the logger.
SELECT
  list_id, logger, weighted_reward,
  weighted_reward - AVG(weighted_reward) OVER (PARTITION BY by_id, logger) AS deviation
FROM logger_rewards
