-- squared_item_gaps: sum, over the recommended items, of the square of the exposure minus the target exposure, both of all truth lists.
--
-- range: [0, inf)
SELECT COALESCE(SUM(POWER(exposure - target, 2)), 0) AS squared_item_gaps
FROM item_exposures
