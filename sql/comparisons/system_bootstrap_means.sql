-- system_bootstrap_means: one row per metric, system and replicate of the bootstrap, with the sums that its mean and the variance of its mean need.
SELECT
  system_cluster_values.by_id,
  system_cluster_values.metric,
  system_cluster_values.system_id,
  weights.replicate,
  SUM(weights.weight * system_cluster_values.n) AS n,
  SUM(weights.weight * system_cluster_values.deviation) AS deviation,
  SUM(weights.weight * system_cluster_values.deviation * system_cluster_values.deviation) AS squares,
  SUM(weights.weight * system_cluster_values.deviation * system_cluster_values.n) AS products,
  SUM(weights.weight * system_cluster_values.n * system_cluster_values.n) AS squared_sizes
FROM system_cluster_values
INNER JOIN weights ON system_cluster_values.cluster_id = weights.cluster_id
GROUP BY system_cluster_values.by_id, system_cluster_values.metric, system_cluster_values.system_id, weights.replicate
