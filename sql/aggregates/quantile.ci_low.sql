-- ci_low: lower bound of the confidence interval of `quantile`: the value of a list, which holds for any distribution; its place is that of the binomial quantile, by two terms of its expansion (Cornish, Fisher 1938); undefined if there are too few lists
SELECT
  MAX(CASE
    WHEN n_values - place + 0.5 <= $share * n_values - $deviations * SQRT($share * (1 - $share) * n_values)
      + ($deviations * $deviations - 1) * (1 - 2 * $share) / 6
      THEN CAST(value AS DOUBLE)
  END) AS ci_low
FROM (
  SELECT value, COUNT(value) OVER () AS n_values, ROW_NUMBER() OVER (ORDER BY value DESC NULLS LAST) AS place
  FROM per_list
) AS places
