-- least_exposure: exposure of a mean item of the recommended category that has the lowest.
--
-- range: (0, inf)
SELECT MIN(exposure) AS least_exposure
FROM category_exposures
