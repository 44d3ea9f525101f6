-- magnitudes: one row per metric, pair of systems and absolute difference in units of 1e-12, with the number of lists that have it.
WITH absolute_differences AS (
  SELECT
    pair_id,
    FLOOR(ABS(difference) * CAST(1e12 AS DOUBLE) + CAST(0.5 AS DOUBLE)) AS magnitude,
    CASE WHEN difference > 0 THEN 1 ELSE 0 END AS is_higher
  FROM differences
  WHERE difference IS NOT NULL
)
SELECT pair_id, magnitude, COUNT(*) AS n, SUM(is_higher) AS n_higher
FROM absolute_differences
GROUP BY pair_id, magnitude
