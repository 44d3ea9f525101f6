-- moments: one row per metric and pair of systems, with the number of lists, and the sums that a paired t-test needs.
SELECT
  pair_id,
  COUNT(difference) AS n_lists,
  COUNT(*) - COUNT(difference) AS n_undefined,
  AVG(CASE WHEN difference IS NOT NULL THEN baseline_value END) AS baseline_mean,
  AVG(CASE WHEN difference IS NOT NULL THEN system_value END) AS system_mean,
  AVG(difference) AS difference,
  SUM((difference - mean_difference) * (difference - mean_difference)) AS sum_of_squares,
  SUM(CASE WHEN difference > 0 THEN 1 ELSE 0 END) AS n_higher,
  SUM(CASE WHEN difference = 0 THEN 1 ELSE 0 END) AS n_equal,
  SUM(CASE WHEN difference < 0 THEN 1 ELSE 0 END) AS n_lower
FROM centered
GROUP BY pair_id
