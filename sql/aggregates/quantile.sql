-- quantile: value below which a share of the lists lie: 0.1 of them, or as in `quantile(0.25)`; between two lists it is interpolated, as the median is
SELECT SUM(CAST(value AS DOUBLE) * GREATEST(0, 1 - ABS(n_values - place - $share * (n_values - 1)))) AS quantile
FROM (
  SELECT value, COUNT(value) OVER () AS n_values, ROW_NUMBER() OVER (ORDER BY value DESC NULLS LAST) AS place
  FROM per_list
) AS places
