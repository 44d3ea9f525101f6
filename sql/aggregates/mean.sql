-- mean: mean over the lists for which the metric is defined
SELECT AVG(CAST(value AS DOUBLE)) AS mean
FROM per_list
