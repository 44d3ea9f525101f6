-- error: standard error of the mean of lists in clusters: the sum of the squared deviations of the clusters, times G / (G - 1) for G clusters, over the square of the number of lists
--
-- It is that of a regression on a constant with cluster-robust errors, as of statsmodels with `cov_type="cluster"`.
-- source: Liang, Zeger (1986), Longitudinal data analysis using generalized linear models. doi:10.1093/biomet/73.1.13
SELECT
  SQRT(
    SUM(CASE WHEN value IS NOT NULL THEN (total - size * center) * (total - size * center) / CAST(size AS DOUBLE) END)
    * SUM(CASE WHEN value IS NOT NULL THEN 1 / CAST(size AS DOUBLE) END)
    / NULLIF(FLOOR(SUM(CASE WHEN value IS NOT NULL THEN 1 / CAST(size AS DOUBLE) END) - CAST(0.5 AS DOUBLE)), 0)
  ) / COUNT(value) AS error
FROM (
  SELECT
    value,
    SUM(CAST(value AS DOUBLE)) OVER (PARTITION BY cluster_id) AS total,
    COUNT(value) OVER (PARTITION BY cluster_id) AS size,
    AVG(CAST(value AS DOUBLE)) OVER () AS center
  FROM per_list
) AS clusters
