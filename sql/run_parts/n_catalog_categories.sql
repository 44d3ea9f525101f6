-- n_catalog_categories: number of categories of catalogue items, over all folds of a row of the summary.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT category) AS n_catalog_categories
FROM catalog_categories
