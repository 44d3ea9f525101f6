-- matched_exposures: sum, over the truth lists and their relevant items, of the mean exposure times the target exposure.
--
-- range: [0, inf)
SELECT COALESCE(SUM(exposure * target), 0) AS matched_exposures
FROM mean_exposures
