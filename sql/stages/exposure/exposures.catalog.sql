-- exposures: how much of the first k places of all lists each item has: every recommended item of the catalogue.
--
-- when: among = catalog
SELECT by_id, item, SUM($weight) AS exposure
FROM shown_known
WHERE rank <= $k
GROUP BY by_id, item
