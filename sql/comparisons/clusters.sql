-- clusters: one row per list, or per cluster of lists.
SELECT DISTINCT cluster_id
FROM per_list
