-- centered: each difference with the mean of its pair.
SELECT
  pair_id,
  list_id,
  baseline_value,
  system_value,
  difference,
  AVG(difference) OVER (PARTITION BY pair_id) AS mean_difference
FROM differences
