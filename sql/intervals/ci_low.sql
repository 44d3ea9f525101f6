-- ci_low: lower bound of the confidence interval of the mean of values without a declared range: Student's t, with the squared error raised by 3 times the skewness; NULL for fewer than 100 lists (or clusters), and if all values are equal
SELECT
  CASE
    WHEN n_clusters >= $least_without_range AND error > CAST(1e-9 AS DOUBLE) * ABS(mean) THEN mean - student * error * SQRT(1 + 3 * skewness)
  END AS ci_low
FROM intervals
