-- exposure_level_order: the exposure levels from the lowest up, with the position of the last item of each.
--
-- The window sorts exposure levels, which are few, and not items.
SELECT
  by_id, exposure, n_items,
  SUM(n_items) OVER (PARTITION BY by_id ORDER BY exposure NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_position
FROM exposure_levels
