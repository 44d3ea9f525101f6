-- alone: the value of a list that is empty, or has no baseline.
SELECT
  NULL AS undefined, -- no value: the metric is undefined
  CAST(0 AS DOUBLE) AS zero -- 0
FROM metrics
