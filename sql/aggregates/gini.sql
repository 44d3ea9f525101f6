-- gini: Gini coefficient of the values of lists: 0 if all lists are served alike, near 1 if one list has it all; undefined if any value is below 0
SELECT
  CASE WHEN MIN(value) >= 0 THEN SUM(CAST(value AS DOUBLE) * (n_values + 1 - 2 * place)) END
  / NULLIF(COUNT(value) * SUM(CAST(value AS DOUBLE)), 0) AS gini
FROM (
  SELECT value, COUNT(value) OVER () AS n_values, ROW_NUMBER() OVER (ORDER BY value DESC NULLS LAST) AS place
  FROM per_list
) AS places
