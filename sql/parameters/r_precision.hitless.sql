-- hitless: the value of a list that has no hit at the ranks that are read.
SELECT
  n_hits_within_r AS zero, -- 0
  NULLIF(n_hits_within_r, 0) AS undefined -- no value: the metric is undefined
FROM metrics
