-- impression_rewards: one row per list and impression of the log, with the weighted rewards at the first k positions.
SELECT
  list_id, impression_id,
  SUM(CASE WHEN rank <= $k THEN $weighting * $weight * reward ELSE CAST(0 AS DOUBLE) END) AS weighted_reward
FROM action_weights
GROUP BY list_id, impression_id
