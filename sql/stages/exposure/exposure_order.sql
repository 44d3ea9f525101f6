-- exposure_order: the exposures, lowest first, with the place of the last item that has each.
--
-- Exposures in the place of items: what is sorted as one piece is short, however many items there are.
SELECT
  by_id, exposure, n_items,
  SUM(n_items) OVER (PARTITION BY by_id ORDER BY exposure NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS last_place
FROM exposure_levels
