-- system_cluster_moments: one row per metric and system, with the sums that the variance between its clusters of lists needs.
--
-- `n_units` counts all clusters, `n_clusters` those with a value. The sums are those of `cluster_moments`.
SELECT
  by_id,
  metric,
  system_id,
  COUNT(*) AS n_units,
  COUNT(deviation) AS n_clusters,
  SUM(deviation * deviation) AS sum_of_squares_between,
  SUM(deviation * deviation / NULLIF(1 - share, 0)) AS adjusted_squares,
  1 / (
    SUM(share * share)
    + SUM(share * share / NULLIF(1 - share, 0)) * SUM(share * share / NULLIF(1 - share, 0))
    - SUM(share * share * share * share / NULLIF((1 - share) * (1 - share), 0))
  ) AS freedom
FROM system_cluster_values
GROUP BY by_id, metric, system_id
