-- error: standard error of the mean
SELECT STDDEV_SAMP(CAST(value AS DOUBLE)) / SQRT(COUNT(value)) AS error
FROM per_list
