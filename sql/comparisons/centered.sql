-- centered: one row per difference, with the mean difference of its metric and pair of systems.
SELECT
  pair_id,
  list_id,
  is_in_baseline,
  is_in_system,
  baseline_value,
  system_value,
  difference,
  AVG(difference) OVER (PARTITION BY pair_id) AS mean_difference
FROM differences
