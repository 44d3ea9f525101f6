-- alone: the value of an empty list.
SELECT
  NULL AS undefined, -- no value: the metric is undefined
  CAST(1 AS DOUBLE) AS one -- 1
FROM metrics
