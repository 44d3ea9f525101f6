-- ci_high: upper bound of the confidence interval of `quantile`: the value of a list, as in `quantile ci_low`
SELECT
  MIN(CASE
    WHEN n_values - place + 0.5 >= $share * n_values + $deviations * SQRT($share * (1 - $share) * n_values)
      + ($deviations * $deviations - 1) * (1 - 2 * $share) / 6
      THEN CAST(value AS DOUBLE)
  END) AS ci_high
FROM (
  SELECT value, COUNT(value) OVER () AS n_values, ROW_NUMBER() OVER (ORDER BY value DESC NULLS LAST) AS place
  FROM per_list
) AS places
