-- precise_errors: sum, over the loggers, of the squared standard error of the estimate by each times its squared precision.
--
-- The condition always holds. Without it, DataFusion does not group logger_estimates by logger.
-- range: [0, inf)
SELECT SUM(CASE WHEN logger IS NOT NULL THEN "precision" * "precision" * squared_error END) AS precise_errors
FROM logger_estimates
