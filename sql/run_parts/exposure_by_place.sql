-- exposure_by_place: sum of the exposures, each times its place from the lowest.
--
-- range: [0, inf)
SELECT SUM(place * exposure) AS exposure_by_place
FROM exposure_order
