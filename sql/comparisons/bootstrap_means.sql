-- bootstrap_means: one row per metric, pair of systems and replicate of the bootstrap, with the sums that its mean and the variance of its mean need.
SELECT
  cluster_values.pair_id,
  weights.replicate,
  SUM(weights.weight * cluster_values.n) AS n,
  SUM(weights.weight * cluster_values.deviation) AS deviation,
  SUM(weights.weight * cluster_values.deviation * cluster_values.deviation) AS squares,
  SUM(weights.weight * cluster_values.deviation * cluster_values.n) AS products,
  SUM(weights.weight * cluster_values.n * cluster_values.n) AS squared_sizes
FROM cluster_values
INNER JOIN weights ON cluster_values.cluster_id = weights.cluster_id
GROUP BY cluster_values.pair_id, weights.replicate
