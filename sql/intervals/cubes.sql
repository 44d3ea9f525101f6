-- cubes: sum of the cubed deviations from the mean, for the skewness
SELECT
  SUM(CAST(value AS DOUBLE) * value * value)
  - 3 * AVG(CAST(value AS DOUBLE)) * STDDEV_SAMP(CAST(value AS DOUBLE)) * STDDEV_SAMP(CAST(value AS DOUBLE)) * (COUNT(value) - 1)
  - AVG(CAST(value AS DOUBLE)) * AVG(CAST(value AS DOUBLE)) * SUM(CAST(value AS DOUBLE)) AS cubes
FROM per_list
