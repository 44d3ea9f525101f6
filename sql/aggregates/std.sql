-- std: standard deviation between lists, of a sample (divided by n - 1)
SELECT STDDEV_SAMP(CAST(value AS DOUBLE)) AS std
FROM per_list
