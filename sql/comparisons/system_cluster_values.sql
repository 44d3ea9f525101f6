-- system_cluster_values: one row per metric, system and cluster of lists, with sums over its lists that have a value.
--
-- `share` is the share of all lists that have a value.
WITH sums AS (
  SELECT
    by_id,
    metric,
    system_id,
    cluster_id,
    SUM(value) AS total,
    CAST(COUNT(value) AS DOUBLE) AS n,
    SUM(value - mean_value) AS deviation
  FROM list_values
  GROUP BY by_id, metric, system_id, cluster_id
)
SELECT
  by_id,
  metric,
  system_id,
  cluster_id,
  total,
  n,
  deviation,
  n / NULLIF(SUM(n) OVER (PARTITION BY by_id, metric, system_id), 0) AS share
FROM sums
