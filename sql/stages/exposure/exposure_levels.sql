-- exposure_levels: each exposure that an item has, with how many items have it.
SELECT by_id, exposure, COUNT(*) AS n_items
FROM exposures
GROUP BY by_id, exposure
