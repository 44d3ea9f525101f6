-- item_exposures: one row per system and recommended item, with its exposure, and the exposure that it should have, over the truth lists.
SELECT
  mean_item_exposures.by_id, mean_item_exposures.item, mean_item_exposures.exposure,
  COALESCE(item_targets.target, 0) AS target
FROM mean_item_exposures
LEFT JOIN item_targets
  ON mean_item_exposures.by_id = item_targets.by_id AND mean_item_exposures.item = item_targets.item
