-- ci_low: lower bound of the confidence interval of the mean
SELECT AVG(value) - $deviations * STDDEV_SAMP(value) / SQRT(COUNT(value)) AS ci_low
FROM per_list
