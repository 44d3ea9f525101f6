-- logger_precisions: sum of the precisions of the loggers: of the estimate by each, 1 / squared standard error.
--
-- range: [0, inf)
SELECT SUM("precision") AS logger_precisions
FROM logger_estimates
