-- cluster_deviations: for each cluster of lists, how far its differences are from the mean, in sum.
SELECT pair_id, cluster_id, SUM(difference - mean_difference) AS deviation
FROM centered
WHERE difference IS NOT NULL
GROUP BY pair_id, cluster_id
