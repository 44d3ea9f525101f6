-- exposure: total exposure of all items.
--
-- range: [0, inf)
SELECT SUM(exposure * n_items) AS exposure
FROM exposure_level_order
