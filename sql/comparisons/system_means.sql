-- system_means: one row per metric and system, with the number of its lists that have a value, and their mean.
--
-- `n_recommended` counts the lists for which the system has recommendations.
SELECT
  by_id,
  metrics.metric,
  system_id,
  SUM(is_recommended) AS n_recommended,
  COUNT($value) AS n_lists,
  AVG(CAST($value AS DOUBLE)) AS mean_value
FROM per_list
CROSS JOIN metrics
GROUP BY by_id, metrics.metric, system_id
