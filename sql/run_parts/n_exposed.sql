-- n_exposed: items that have a place.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_exposed
FROM exposure_order
