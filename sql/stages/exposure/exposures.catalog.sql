-- exposures: one row per system and recommended item of the catalogue, with its exposure among the first k ranks of all lists.
--
-- when: among = catalog
SELECT by_id, item, SUM($weight) AS exposure
FROM impressions_in_catalog
WHERE rank <= $k
GROUP BY by_id, item
