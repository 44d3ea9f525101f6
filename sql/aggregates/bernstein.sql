-- bernstein: half the width of an interval of the mean that holds for any distribution of this range: empirical Bernstein bound (Maurer, Pontil 2009), with the lowest and the highest value of the lists as the range
SELECT
  SQRT(2 * $tail * STDDEV_SAMP(CAST(value AS DOUBLE)) * STDDEV_SAMP(CAST(value AS DOUBLE)) / COUNT(value))
  + 7 * $tail * (MAX(value) - MIN(value)) / CAST(3 * NULLIF(COUNT(value) - 1, 0) AS DOUBLE) AS bernstein
FROM per_list
