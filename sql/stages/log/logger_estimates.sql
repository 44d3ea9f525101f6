-- logger_estimates: one row per system and logger, with its estimate and the precision of it: 1 / squared standard error.
--
-- precision: NULL for a logger with a single list, and for one whose lists have equal values but for rounding.
SELECT
  by_id, logger, AVG(weighted_reward) AS estimate,
  CASE
    WHEN SUM(deviation * deviation) > 1e-14 * SUM(weighted_reward * weighted_reward)
    THEN COUNT(*) * (COUNT(*) - 1) / SUM(deviation * deviation)
  END AS "precision"
FROM logger_deviations
GROUP BY by_id, logger
