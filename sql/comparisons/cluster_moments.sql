-- cluster_moments: one row per metric and pair of systems, with the sums that the variance between clusters of lists needs.
--
-- `adjusted_squares` are those of the variance CR2: the larger a cluster, the more it has pulled the mean to itself.
-- `freedom` are the degrees of freedom of this variance: G - 1 if G clusters have one size.
-- source: Bell, McCaffrey (2002), Bias reduction in standard errors for linear regression with multi-stage samples. Survey Methodology 28(2)
SELECT
  pair_id,
  COUNT(*) AS n_clusters,
  SUM(deviation * deviation) AS sum_of_squares_between,
  SUM(deviation * deviation / NULLIF(1 - share, 0)) AS adjusted_squares,
  1 / (
    SUM(share * share)
    + SUM(share * share / NULLIF(1 - share, 0)) * SUM(share * share / NULLIF(1 - share, 0))
    - SUM(share * share * share * share / NULLIF((1 - share) * (1 - share), 0))
  ) AS freedom
FROM cluster_values
GROUP BY pair_id
