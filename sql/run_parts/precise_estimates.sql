-- precise_estimates: sum, over the loggers, of the estimate by each times its precision.
--
-- The condition always holds. Without it, DataFusion does not group logger_estimates by logger.
-- range: (-inf, inf)
SELECT SUM(CASE WHEN logger IS NOT NULL THEN "precision" * estimate END) AS precise_estimates
FROM logger_estimates
