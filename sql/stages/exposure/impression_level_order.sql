-- impression_level_order: one row per system and impression level, the lowest first, with the number of its items, and the items and impressions of this level and those below.
--
-- n_items_to_level, n_impressions_to_level: of all items that have at most as many impressions.
SELECT
  by_id, n_impressions, n_level_impressions / CAST(n_impressions AS DOUBLE) AS n_items,
  SUM(n_level_impressions / CAST(n_impressions AS DOUBLE)) OVER (PARTITION BY by_id ORDER BY n_impressions NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n_items_to_level,
  SUM(n_level_impressions) OVER (PARTITION BY by_id ORDER BY n_impressions NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS n_impressions_to_level
FROM impression_levels
