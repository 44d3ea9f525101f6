-- list_values: one row per metric, system and list, with the value, and the mean of the system.
--
-- If systems are not paired, `$least` is 1: only lists for which the system has recommendations.
WITH values_by_metric AS (
  SELECT by_id, list_id, system_id, metrics.metric, CAST($value AS DOUBLE) AS value
  FROM per_list
  CROSS JOIN metrics
  WHERE is_recommended >= $least
)
SELECT by_id, list_id, system_id, metric, value, AVG(value) OVER (PARTITION BY by_id, system_id, metric) AS mean_value
FROM values_by_metric
