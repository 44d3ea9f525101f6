-- n_clusters: number of lists with a value
SELECT COUNT(value) AS n_clusters
FROM per_list
