-- system_moments: for each metric and system, the sums that Tukey's test of all pairs needs.
SELECT
  by_id,
  metric,
  system_id,
  COUNT(*) AS n_lists,
  AVG(value) AS mean_value,
  SUM((value - mean_value) * (value - mean_value)) AS sum_of_squares
FROM list_values
GROUP BY by_id, metric, system_id
