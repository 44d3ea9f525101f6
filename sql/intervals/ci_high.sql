-- ci_high: upper bound of the confidence interval of the mean of values without a declared range: as `ci_low`
SELECT
  CASE
    WHEN n_clusters >= $least_without_range AND error > CAST(1e-9 AS DOUBLE) * ABS(mean) THEN mean + student * error * SQRT(1 + 3 * skewness)
  END AS ci_high
FROM intervals
