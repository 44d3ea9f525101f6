-- shared_clusters: one row per metric and pair of systems, with the clusters that have lists of both, as users in both arms of an experiment.
--
-- `products` is the sum of the products of the deviations of a cluster in both, from which their covariance follows.
SELECT
  compared.by_id,
  compared.metric,
  baseline.baseline_id,
  compared.system_id,
  COUNT(*) AS n_clusters,
  SUM(compared.deviation * baseline.deviation) AS products
FROM system_cluster_values AS compared
INNER JOIN system_cluster_values AS baseline
  ON compared.by_id = baseline.by_id AND compared.metric = baseline.metric AND compared.cluster_id = baseline.cluster_id
WHERE $is_pair
GROUP BY compared.by_id, compared.metric, baseline.baseline_id, compared.system_id
