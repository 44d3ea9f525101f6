-- cold: the values in two segments: `cold` where the value is 0, and `warm`.
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
