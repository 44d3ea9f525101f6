-- alone: what a list scores that holds nothing but hits, or nothing but misses.
SELECT
  NULL AS undefined, -- nothing
  CASE WHEN n_hits > 0 THEN CAST(1 AS DOUBLE) ELSE CAST(0 AS DOUBLE) END AS credited -- 1 for nothing but hits, 0 for no hit
FROM metrics
