-- n_distinct_catalog_items: number of distinct items that could be recommended, over all folds of a row of the summary.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_distinct_catalog_items
FROM catalog_items
