-- least_exposure: lowest mean exposure of the items of a category, among the categories that are recommended.
--
-- range: (0, inf)
SELECT MIN(exposure) AS least_exposure
FROM category_exposures
