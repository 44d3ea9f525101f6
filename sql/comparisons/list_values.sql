-- list_values: one row per metric, system and list, with the value, and the mean of the system.
WITH values_by_metric AS (
  SELECT by_id, system_id, metrics.metric, CAST($value AS DOUBLE) AS value
  FROM per_list
  CROSS JOIN metrics
)
SELECT by_id, system_id, metric, value, AVG(value) OVER (PARTITION BY by_id, system_id, metric) AS mean_value
FROM values_by_metric
WHERE value IS NOT NULL
