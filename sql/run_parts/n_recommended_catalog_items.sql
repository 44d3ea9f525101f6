-- n_recommended_catalog_items: those of them that could be recommended.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_recommended_catalog_items
FROM impressions_in_catalog
WHERE rank <= $k
