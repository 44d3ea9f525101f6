-- squared_differences: sum, over the truth lists with relevant items and the recommended items, of the square of the mean exposure minus the target exposure.
--
-- range: [0, inf)
SELECT COALESCE(SUM(POWER(exposure - target, 2)), 0) AS squared_differences
FROM mean_exposures
