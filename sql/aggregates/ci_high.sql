-- ci_high: upper bound of the confidence interval of the mean
SELECT AVG(value) + $deviations * STDDEV_SAMP(value) / SQRT(COUNT(value)) AS ci_high
FROM per_list
