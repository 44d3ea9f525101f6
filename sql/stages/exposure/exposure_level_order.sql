-- exposure_level_order: one row per system and exposure level, the lowest first, with the position of the last item of the level.
--
-- Positions count all items, sorted by exposure. The window sorts exposure levels, which are few, and not items.
SELECT
  by_id, exposure, n_items,
  SUM(n_items) OVER (PARTITION BY by_id ORDER BY exposure NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_position
FROM exposure_levels
