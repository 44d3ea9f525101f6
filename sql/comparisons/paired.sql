-- paired: one row per metric, pair of systems and list that both systems were scored on, with both values.
--
-- `is_in_system` and `is_in_baseline` are 1 if the system has recommendations for the list, else 0.
SELECT
  compared.by_id,
  compared.list_id,
  metrics.metric,
  baseline.baseline_id,
  compared.system_id,
  baseline.is_recommended AS is_in_baseline,
  compared.is_recommended AS is_in_system,
  CAST($baseline_value AS DOUBLE) AS baseline_value,
  CAST($system_value AS DOUBLE) AS system_value
FROM per_list AS compared
INNER JOIN per_list AS baseline ON compared.by_id = baseline.by_id AND compared.list_id = baseline.list_id
CROSS JOIN metrics
WHERE $is_pair
