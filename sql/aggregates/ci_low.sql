-- ci_low: lower bound of the confidence interval of the mean
SELECT mean - $deviations * standard_error AS ci_low
FROM aggregates
