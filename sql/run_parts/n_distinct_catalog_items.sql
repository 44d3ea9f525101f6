-- n_distinct_catalog_items: items that could be recommended; of several folds that are taken together, each once.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_distinct_catalog_items
FROM catalog_items
