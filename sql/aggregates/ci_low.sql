-- ci_low: lower bound of the confidence interval of the mean
SELECT AVG(CAST(value AS DOUBLE)) - $deviations * STDDEV_SAMP(CAST(value AS DOUBLE)) / SQRT(COUNT(value)) AS ci_low
FROM per_list
