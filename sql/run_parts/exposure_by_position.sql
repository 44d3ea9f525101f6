-- exposure_by_position: sum of the exposures, each times its place from the lowest.
--
-- Items of one exposure have consecutive places.
--
-- range: [0, inf)
SELECT SUM(exposure * (n_items * (2 * last_position - n_items + 1) / CAST(2 AS DOUBLE))) AS exposure_by_position
FROM exposure_level_order
