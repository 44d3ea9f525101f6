-- exposure_by_position: sum of exposure times position over the items, sorted from the lowest exposure up.
--
-- Items with equal exposure have consecutive positions.
-- range: [0, inf)
SELECT SUM(exposure * (n_items * (2 * last_position - n_items + 1) / CAST(2 AS DOUBLE))) AS exposure_by_position
FROM exposure_level_order
