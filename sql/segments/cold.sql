-- cold: one row per value, with its segment: `cold` if the value is 0, else `warm`.
WITH different_values AS (
  SELECT DISTINCT value
  FROM known_values
  WHERE value IS NOT NULL
)
SELECT
  value,
  CASE WHEN value = 0 THEN 'cold' ELSE 'warm' END AS segment,
  CASE WHEN value = 0 THEN 1 ELSE 2 END AS position
FROM different_values
