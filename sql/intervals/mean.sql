-- mean: mean of the values
SELECT AVG(CAST(value AS DOUBLE)) AS mean
FROM per_list
