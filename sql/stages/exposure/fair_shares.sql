-- fair_shares: one row per system, with the number of impressions of each item if all items of the catalogue had the same number, rounded down.
SELECT
  impression_levels.by_id,
  FLOOR(SUM(impression_levels.n_level_impressions) / CAST(MAX(catalog_item_counts.n_items) AS DOUBLE)) AS fair_share
FROM impression_levels
JOIN catalog_item_counts ON impression_levels.by_id = catalog_item_counts.by_id
GROUP BY impression_levels.by_id
