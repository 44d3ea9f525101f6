-- ranked_magnitudes: one row per metric, pair of systems and absolute difference, with the mean rank of its lists. The smallest has rank 1.
SELECT
  pair_id,
  magnitude,
  CAST(n AS DOUBLE) AS n,
  CAST(n_higher AS DOUBLE) AS n_higher,
  CAST(SUM(n) OVER (PARTITION BY pair_id ORDER BY magnitude NULLS FIRST) AS DOUBLE)
    - (CAST(n AS DOUBLE) - 1) / CAST(2 AS DOUBLE) AS mean_rank
FROM magnitudes
