-- n_clusters: number of clusters of lists with a value, such as users; each list counts as its share of a cluster
SELECT FLOOR(SUM(CASE WHEN value IS NOT NULL THEN 1 / CAST(size AS DOUBLE) END) + CAST(0.5 AS DOUBLE)) AS n_clusters
FROM (SELECT value, COUNT(value) OVER (PARTITION BY cluster_id) AS size FROM per_list) AS clusters
