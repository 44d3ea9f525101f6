-- clusters: each list, or each cluster of lists, once.
SELECT DISTINCT cluster_id
FROM per_list
