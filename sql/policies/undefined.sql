-- undefined: what a list scores for which the metric is undefined.
SELECT
  NULL AS "null", -- nothing: it is left out of the mean, and counted
  0 AS zero -- 0
