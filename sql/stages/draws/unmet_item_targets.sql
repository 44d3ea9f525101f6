-- unmet_item_targets: one row per system and relevant item that no list recommends, with the exposure that it should have in all truth lists together.
SELECT item_targets.by_id, item_targets.item, item_targets.target
FROM item_targets
LEFT JOIN mean_item_exposures
  ON item_targets.by_id = mean_item_exposures.by_id AND item_targets.item = mean_item_exposures.item
WHERE mean_item_exposures.exposure IS NULL
