-- ci: half the width of the confidence interval of the mean, which need not have the mean in its middle: `ci_low` and `ci_high` are its ends
--
-- Of another aggregate, or of a number of a system with a standard error: that times the normal quantile.
SELECT $deviations * standard_error AS ci
FROM aggregates
