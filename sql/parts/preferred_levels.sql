-- preferred_levels: weight of the recall levels that the list reaches at a higher rank than the baseline, less that of those that the baseline does.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM(preference * $level_weight), 0) AS preferred_levels
FROM recall_levels
WHERE rank <= $k
