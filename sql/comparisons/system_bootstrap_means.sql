-- system_bootstrap_means: one row per metric, system and replicate of the bootstrap, with the mean.
SELECT
  system_cluster_values.by_id,
  system_cluster_values.metric,
  system_cluster_values.system_id,
  weights.replicate,
  SUM(weights.weight * system_cluster_values.total) / NULLIF(SUM(weights.weight * system_cluster_values.n), 0) AS mean_value
FROM system_cluster_values
INNER JOIN weights ON system_cluster_values.cluster_id = weights.cluster_id
GROUP BY system_cluster_values.by_id, system_cluster_values.metric, system_cluster_values.system_id, weights.replicate
