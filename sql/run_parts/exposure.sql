-- exposure: exposure of all items together.
--
-- range: [0, inf)
SELECT SUM(exposure) AS exposure
FROM exposure_order
