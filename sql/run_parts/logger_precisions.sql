-- logger_precisions: sum of the precisions of the loggers.
--
-- The condition always holds. Without it, DataFusion does not group logger_estimates by logger.
-- range: [0, inf)
SELECT SUM(CASE WHEN logger IS NOT NULL THEN "precision" END) AS logger_precisions
FROM logger_estimates
