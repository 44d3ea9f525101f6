-- exposures: one row per system and recommended item, with its exposure: the weight of its impressions among the first k ranks of all lists.
--
-- when: among = any
SELECT by_id, item, SUM($weight) AS exposure
FROM impressions
WHERE rank <= $k
GROUP BY by_id, item
