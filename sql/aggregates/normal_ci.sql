-- normal_ci: half the width of the interval by the normal distribution, as other libraries return it (RePlay's ConfidenceInterval): it contains the mean less often than stated if there are few lists or their values are skewed; prefer `ci_low` and `ci_high`
SELECT $deviations * standard_error AS normal_ci
FROM aggregates
