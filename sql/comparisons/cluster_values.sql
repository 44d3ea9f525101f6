-- cluster_values: the differences of each list, or of each cluster of lists, in sum.
SELECT pair_id, cluster_id, SUM(difference) AS total, CAST(COUNT(*) AS DOUBLE) AS n
FROM differences
WHERE difference IS NOT NULL
GROUP BY pair_id, cluster_id
