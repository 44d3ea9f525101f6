-- worst: mean over the worst served share of the lists, the expected shortfall: 0.1 of them, or as in `worst(0.25)`; a list that is only partly within the share counts in part. The worst values are the lowest, or the highest where lower is better
SELECT
  SUM(CAST(value AS DOUBLE) * LEAST(1, GREATEST(0, place - n_values + $share * n_values)))
  / NULLIF($share * COUNT(value), 0) AS worst
FROM (
  SELECT value, COUNT(value) OVER () AS n_values, ROW_NUMBER() OVER (ORDER BY $sign * value DESC NULLS LAST) AS place
  FROM per_list
) AS places
