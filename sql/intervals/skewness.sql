-- skewness: squared skewness of the deviations of lists (or clusters), over their number: how far the mean is from normally distributed
SELECT
  CASE
    WHEN error > CAST(1e-9 AS DOUBLE) * ABS(mean) AND ABS(cubes) > CAST(1e-12 AS DOUBLE) * n_values * ABS(mean * mean * mean)
      THEN cubes * cubes / POWER(error * error * n_values * n_values * (n_clusters - CAST(1 AS DOUBLE)) / n_clusters, 3)
    ELSE CAST(0 AS DOUBLE)
  END AS skewness
FROM intervals
