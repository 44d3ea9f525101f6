-- system_moments: one row per metric and system, with the sums that tests of systems as independent samples need.
--
-- `n_units` counts all lists, `n_lists` those that have a value.
SELECT
  by_id,
  metric,
  system_id,
  COUNT(*) AS n_units,
  COUNT(value) AS n_lists,
  AVG(value) AS mean_value,
  SUM((value - mean_value) * (value - mean_value)) AS sum_of_squares
FROM list_values
GROUP BY by_id, metric, system_id
