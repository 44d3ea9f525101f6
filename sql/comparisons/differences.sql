-- differences: one row per metric, pair of systems and list, with the system's value minus the baseline's: NULL if either is undefined.
--
-- A difference below 1e-9 of the values is 0: it comes from the order in which an engine adds.
SELECT
  pair_id,
  list_id,
  is_in_baseline,
  is_in_system,
  baseline_value,
  system_value,
  CASE
    WHEN ABS(system_value - baseline_value) <= CAST(1e-9 AS DOUBLE) * (ABS(system_value) + ABS(baseline_value))
      THEN CAST(0 AS DOUBLE)
    ELSE system_value - baseline_value
  END AS difference
FROM paired
