-- cluster_values: one row per metric, pair of systems and list (or cluster of lists), with sums over its lists that have a difference.
--
-- `deviation` is the sum of the deviations from the mean difference, and `share` the share of all lists.
WITH sums AS (
  SELECT
    pair_id,
    cluster_id,
    SUM(difference) AS total,
    CAST(COUNT(*) AS DOUBLE) AS n,
    SUM(difference - mean_difference) AS deviation
  FROM centered
  WHERE difference IS NOT NULL
  GROUP BY pair_id, cluster_id
)
SELECT pair_id, cluster_id, total, n, deviation, n / SUM(n) OVER (PARTITION BY pair_id) AS share
FROM sums
