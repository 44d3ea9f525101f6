-- n_exposed_categories: number of recommended categories.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_exposed_categories
FROM category_exposures
