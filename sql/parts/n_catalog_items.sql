-- n_catalog_items: number of items that could be recommended.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_catalog_items
FROM catalog_items
