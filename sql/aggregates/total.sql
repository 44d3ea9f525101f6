-- total: sum over the lists for which the metric is defined
SELECT SUM(CAST(value AS DOUBLE)) AS total
FROM per_list
