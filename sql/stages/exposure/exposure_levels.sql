-- exposure_levels: one row per system and exposure level (a value that items have as their exposure), with the number of these items.
SELECT by_id, exposure, COUNT(*) AS n_items
FROM exposures
GROUP BY by_id, exposure
