-- standard_error: standard error of `gini`, by its influence function (Langel, Tillé 2013, doi:10.1111/j.1467-985X.2012.01048.x); undefined if any value is below 0
SELECT
  CASE WHEN MIN(value) >= 0 THEN
    SQRT(ABS( -- rounding may leave less than 0 of equal values
      (1 + AVG(share_to) / 2) * STDDEV_SAMP(share_to) * STDDEV_SAMP(share_to)
      + (AVG(share_to) / 2 + AVG(share_to) * AVG(share_to) / 4) * STDDEV_SAMP(of_mean) * STDDEV_SAMP(of_mean)
      - AVG(share_to) / 2 * STDDEV_SAMP(share_to + of_mean) * STDDEV_SAMP(share_to + of_mean)
    ) / COUNT(value))
  END AS standard_error
FROM (
  SELECT
    value,
    value * COUNT(value) OVER () / NULLIF(SUM(CAST(value AS DOUBLE)) OVER (), 0) AS of_mean,
    2 * (
      value * (COUNT(value) OVER () - ROW_NUMBER() OVER (ORDER BY value DESC NULLS LAST))
      + SUM(CAST(value AS DOUBLE)) OVER (ORDER BY value DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    ) / NULLIF(SUM(CAST(value AS DOUBLE)) OVER (), 0) AS share_to
  FROM per_list
) AS places
