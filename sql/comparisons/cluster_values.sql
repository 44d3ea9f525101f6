-- cluster_values: one row per metric, pair of systems and list (or cluster of lists), with the sum of its differences.
SELECT pair_id, cluster_id, SUM(difference) AS total, CAST(COUNT(*) AS DOUBLE) AS n
FROM differences
WHERE difference IS NOT NULL
GROUP BY pair_id, cluster_id
