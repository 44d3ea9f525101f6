-- std: sample standard deviation over lists (divided by n - 1)
SELECT STDDEV_SAMP(CAST(value AS DOUBLE)) AS std
FROM per_list
