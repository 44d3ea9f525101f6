-- system_moments: one row per metric and system, with the sums that Tukey's test of all pairs needs.
SELECT
  by_id,
  metric,
  system_id,
  COUNT(*) AS n_lists,
  AVG(value) AS mean_value,
  SUM((value - mean_value) * (value - mean_value)) AS sum_of_squares
FROM list_values
GROUP BY by_id, metric, system_id
