-- alone: the value of a list that has only hits, or no hits.
SELECT
  NULL AS undefined, -- no value: the metric is undefined
  CAST(0 AS DOUBLE) AS zero, -- 0 (torchmetrics)
  CASE WHEN n_hits > 0 THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END AS credited -- 1 for a list with only hits, 0 for a list with no hits
FROM metrics
