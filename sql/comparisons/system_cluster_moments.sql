-- system_cluster_moments: one row per metric and system, with the sums that the variance between its clusters of lists needs.
--
-- `n_units` counts all clusters, `n_clusters` those with a value.
SELECT
  by_id,
  metric,
  system_id,
  COUNT(*) AS n_units,
  COUNT(deviation) AS n_clusters,
  SUM(deviation * deviation) AS sum_of_squares_between
FROM system_cluster_values
GROUP BY by_id, metric, system_id
