-- magnitudes: the distinct absolute differences of a pair, in units of 1e-12, and how many lists have each of them.
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
