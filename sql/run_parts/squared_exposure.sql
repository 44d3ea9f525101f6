-- squared_exposure: sum of the squares of the exposures of the items.
--
-- range: [0, inf)
SELECT SUM(exposure * exposure * n_items) AS squared_exposure
FROM exposure_level_order
