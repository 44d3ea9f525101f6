-- bootstrap_means: one row per metric, pair of systems and replicate of the bootstrap, with the mean difference.
SELECT
  cluster_values.pair_id,
  weights.replicate,
  SUM(weights.weight * cluster_values.total) / NULLIF(SUM(weights.weight * cluster_values.n), 0) AS mean_difference
FROM cluster_values
INNER JOIN weights ON cluster_values.cluster_id = weights.cluster_id
GROUP BY cluster_values.pair_id, weights.replicate
