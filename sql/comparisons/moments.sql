-- moments: one row per metric and pair of systems, with the number of lists, and the sums that a paired t-test needs.
SELECT
  pair_id,
  COUNT(difference) AS n_lists,
  COUNT(*) - COUNT(difference) AS n_undefined,
  AVG(CASE WHEN difference IS NOT NULL THEN baseline_value END) AS baseline_mean,
  AVG(CASE WHEN difference IS NOT NULL THEN system_value END) AS system_mean,
  AVG(difference) AS difference,
  SUM((difference - mean_difference) * (difference - mean_difference)) AS sum_of_squares,
  SUM(is_in_baseline) AS n_baseline_lists,
  SUM(is_in_system) AS n_system_lists,
  SUM(is_in_baseline * is_in_system) AS n_common_lists,
  AVG(CASE WHEN is_in_baseline * is_in_system = 1 THEN difference END) AS common_difference,
  SUM(CASE WHEN difference > 0 THEN 1 ELSE 0 END) AS n_higher,
  SUM(CASE WHEN difference = 0 THEN 1 ELSE 0 END) AS n_equal,
  SUM(CASE WHEN difference < 0 THEN 1 ELSE 0 END) AS n_lower
FROM centered
GROUP BY pair_id
