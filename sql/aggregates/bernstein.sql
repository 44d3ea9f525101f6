-- bernstein: half the width of an interval of the mean that holds for any values in the declared range of the metric: the empirical Bernstein bound (Maurer, Pontil 2009) for both sides; refused for a metric without a range, and for clusters
--
-- A one-sided bound takes ln(2 / delta): delta is divided between the bound of the variance and that of the mean. A two-sided bound
-- divides it by three.
-- source: Maurer, Pontil (2009), Empirical Bernstein bounds and sample variance penalization. arXiv:0907.3740
SELECT
  LEAST(
    error * SQRT(2 * $tail_of_3) + 7 * $tail_of_3 / (3 * CAST(NULLIF(n_values - 1, 0) AS DOUBLE)), CAST(1 AS DOUBLE)
  ) AS bernstein
FROM intervals
