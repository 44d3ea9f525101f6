-- standard_error: standard error of `quantile`, by the width of its interval (Woodruff 1952, doi:10.1080/01621459.1952.10483443)
SELECT (ci_high - ci_low) / (2 * $deviations) AS standard_error
FROM aggregates
