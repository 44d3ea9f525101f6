-- exposure_levels: the number of items that have each exposure.
SELECT by_id, exposure, COUNT(*) AS n_items
FROM exposures
GROUP BY by_id, exposure
