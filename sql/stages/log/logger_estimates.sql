-- logger_estimates: one row per system and logger, with its estimate and how much it counts.
--
-- precision: the number of lists, divided by the variance of their values. NULL for a logger with a single list, and for one whose
-- lists have equal values but for rounding.
-- squared_error: squared standard error of the estimate.
SELECT
  by_id, logger, AVG(weighted_reward) AS estimate,
  CASE
    WHEN SUM(deviation * deviation) > 1e-14 * SUM(weighted_reward * weighted_reward)
    THEN CAST(COUNT(*) AS DOUBLE) * COUNT(*) / SUM(deviation * deviation)
  END AS "precision",
  SUM(deviation * deviation) / (CAST(COUNT(*) AS DOUBLE) * NULLIF(COUNT(*) - 1, 0)) AS squared_error
FROM logger_deviations
GROUP BY by_id, logger
