-- squared_exposures: sum, over the truth lists with relevant items and the items, of the square of the mean exposure.
--
-- range: [0, inf)
SELECT COALESCE(SUM(exposure * exposure), 0) AS squared_exposures
FROM mean_exposures
