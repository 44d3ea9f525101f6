-- cluster_deviations: one row per metric, pair of systems and cluster of lists, with the sum of its deviations from the mean difference.
SELECT pair_id, cluster_id, SUM(difference - mean_difference) AS deviation
FROM centered
WHERE difference IS NOT NULL
GROUP BY pair_id, cluster_id
