-- n: how many lists the metric is defined for
SELECT COUNT(value) AS n
FROM per_list
