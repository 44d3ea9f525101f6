-- squared_unmet_targets: sum, over the truth lists and their relevant items that no draw recommends, of the square of the target exposure.
--
-- range: [0, inf)
SELECT COALESCE(SUM(target * target), 0) AS squared_unmet_targets
FROM unmet_targets
