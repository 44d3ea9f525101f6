-- ci: half the width of the confidence interval of the mean
SELECT $deviations * STDDEV_SAMP(CAST(value AS DOUBLE)) / SQRT(COUNT(value)) AS ci
FROM per_list
