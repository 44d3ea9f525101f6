-- impressions_per_item: number of recommendations for each item of the catalogue, if all have the same number, rounded down.
--
-- range: [0, inf)
SELECT FLOOR(n_impressions / CAST(NULLIF(n_distinct_catalog_items, 0) AS DOUBLE)) AS impressions_per_item
FROM runs
