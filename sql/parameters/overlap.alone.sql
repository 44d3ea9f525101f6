-- alone: the value of a list that has no baseline.
SELECT
  NULL AS undefined, -- no value: the metric is undefined
  CASE WHEN n_recommended > 0 THEN CAST(0 AS DOUBLE) END AS zero -- 0
FROM metrics
