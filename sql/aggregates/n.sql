-- n: number of lists for which the metric is defined
SELECT COUNT(value) AS n
FROM per_list
