-- n_recommended_catalog_items: number of distinct items of the catalogue among the first k recommendations of all lists.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_recommended_catalog_items
FROM impressions_in_catalog
WHERE rank <= $k
