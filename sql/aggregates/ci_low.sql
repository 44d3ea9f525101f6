-- ci_low: lower bound of the confidence interval of the mean: Wilson's score interval with the effective number of lists (Korn, Graubard 1998) if the metric has a declared range, else Student's t; NULL with fewer lists than a sign test needs (6 for 0.95)
--
-- Of another aggregate, or of a number of a system with a standard error: by the normal distribution.
SELECT mean - $deviations * standard_error AS ci_low
FROM aggregates
