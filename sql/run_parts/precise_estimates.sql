-- precise_estimates: sum, over the loggers, of the estimate by each times its precision.
--
-- range: (-inf, inf)
SELECT SUM("precision" * estimate) AS precise_estimates
FROM logger_estimates
