-- categories: one row per value, which is a segment of its own. The segments are in the order of the values.
WITH different_values AS (
  SELECT DISTINCT value
  FROM known_values
  WHERE value IS NOT NULL
)
SELECT value, CAST(value AS VARCHAR) AS segment, ROW_NUMBER() OVER (ORDER BY value NULLS FIRST) AS position
FROM different_values
