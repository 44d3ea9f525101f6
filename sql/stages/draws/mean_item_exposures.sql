-- mean_item_exposures: one row per system and recommended item, with the sum of its mean exposures, over the truth lists.
SELECT by_id, item, SUM(exposure) AS exposure
FROM mean_exposures
GROUP BY by_id, item
