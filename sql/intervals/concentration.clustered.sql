-- concentration: sum of the squared shares of the clusters in the lists: 1 / G of G clusters of one size
SELECT SUM(CASE WHEN value IS NOT NULL THEN CAST(size AS DOUBLE) END) / NULLIF(CAST(COUNT(value) AS DOUBLE) * COUNT(value), 0) AS concentration
FROM (SELECT value, COUNT(value) OVER (PARTITION BY cluster_id) AS size FROM per_list) AS clusters
