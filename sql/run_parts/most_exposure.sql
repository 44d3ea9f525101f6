-- most_exposure: highest mean exposure of the items of a category.
--
-- range: (0, inf)
SELECT MAX(exposure) AS most_exposure
FROM category_exposures
