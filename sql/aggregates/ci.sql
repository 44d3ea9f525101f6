-- ci: half the width of the confidence interval of the mean
SELECT $deviations * standard_error AS ci
FROM aggregates
