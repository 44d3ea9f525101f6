-- ci_high: upper bound of the confidence interval of the mean
SELECT AVG(CAST(value AS DOUBLE)) + $deviations * STDDEV_SAMP(CAST(value AS DOUBLE)) / SQRT(COUNT(value)) AS ci_high
FROM per_list
