-- exposure_order: the exposures, lowest first.
SELECT by_id, exposure, ROW_NUMBER() OVER (PARTITION BY by_id ORDER BY exposure) AS place
FROM exposures
