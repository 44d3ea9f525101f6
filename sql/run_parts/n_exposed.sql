-- n_exposed: number of items that have exposure.
--
-- range: [0, inf)
SELECT COALESCE(SUM(n_items), 0) AS n_exposed
FROM exposure_level_order
