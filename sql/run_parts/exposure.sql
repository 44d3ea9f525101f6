-- exposure: exposure of all items together.
--
-- range: [0, inf)
SELECT SUM(exposure * n_items) AS exposure
FROM exposure_level_order
