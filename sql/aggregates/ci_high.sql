-- ci_high: upper bound of the confidence interval of the mean, as `ci_low`
SELECT mean + $deviations * standard_error AS ci_high
FROM aggregates
