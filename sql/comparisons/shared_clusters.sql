-- shared_clusters: one row per metric and pair of systems, with the clusters that have lists of both, as users in both arms of an experiment.
--
-- `products` is the sum of the products of the deviations of a cluster in both, adjusted as in `cluster_moments`: their
-- covariance follows from it.
SELECT
  compared.by_id,
  compared.metric,
  baseline.baseline_id,
  compared.system_id,
  COUNT(*) AS n_clusters,
  SUM(
    compared.deviation * baseline.deviation / SQRT(NULLIF((1 - compared.share) * (1 - baseline.share), 0))
  ) AS products
FROM system_cluster_values AS compared
INNER JOIN system_cluster_values AS baseline
  ON compared.by_id = baseline.by_id AND compared.metric = baseline.metric AND compared.cluster_id = baseline.cluster_id
WHERE $is_pair
GROUP BY compared.by_id, compared.metric, baseline.baseline_id, compared.system_id
