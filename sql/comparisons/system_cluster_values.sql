-- system_cluster_values: one row per metric, system and cluster of lists, with sums over its lists that have a value.
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
