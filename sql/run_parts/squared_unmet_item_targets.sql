-- squared_unmet_item_targets: sum, over the relevant items that no list recommends, of the square of the target exposure of all truth lists.
--
-- range: [0, inf)
SELECT COALESCE(SUM(target * target), 0) AS squared_unmet_item_targets
FROM unmet_item_targets
