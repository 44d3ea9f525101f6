-- alone: what an empty list scores.
SELECT
  NULL AS undefined, -- nothing
  CAST(1 AS DOUBLE) AS one -- 1
FROM metrics
