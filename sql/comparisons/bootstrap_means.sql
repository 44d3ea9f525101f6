-- bootstrap_means: the mean difference of each replicate of the bootstrap.
SELECT
  cluster_values.pair_id,
  weights.replicate,
  SUM(weights.weight * cluster_values.total) / NULLIF(SUM(weights.weight * cluster_values.n), 0) AS mean_difference
FROM cluster_values
INNER JOIN weights ON cluster_values.cluster_id = weights.cluster_id
GROUP BY cluster_values.pair_id, weights.replicate
