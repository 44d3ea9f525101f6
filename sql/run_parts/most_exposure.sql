-- most_exposure: exposure of a mean item of the category that has the highest.
--
-- range: (0, inf)
SELECT MAX(exposure) AS most_exposure
FROM category_exposures
