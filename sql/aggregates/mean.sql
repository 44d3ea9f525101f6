-- mean: mean of the lists for which the metric is defined
SELECT AVG(value) AS mean
FROM per_list
