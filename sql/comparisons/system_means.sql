-- system_means: one row per metric and system, with the number of its lists that have a value, and their mean.
SELECT
  by_id,
  metrics.metric,
  system_id,
  COUNT($value) AS n_lists,
  AVG(CAST($value AS DOUBLE)) AS mean_value
FROM per_list
CROSS JOIN metrics
GROUP BY by_id, metrics.metric, system_id
