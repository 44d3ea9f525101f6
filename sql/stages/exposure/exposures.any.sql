-- exposures: how much of the first k places of all lists each item has: every recommended item.
--
-- when: among = any
SELECT by_id, item, SUM($weight) AS exposure
FROM shown
WHERE rank <= $k
GROUP BY by_id, item
