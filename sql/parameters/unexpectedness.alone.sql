-- alone: what a list scores that is empty, or has no baseline.
SELECT
  NULL AS undefined, -- nothing
  CAST(0 AS DOUBLE) AS zero -- 0
FROM metrics
