-- slots_per_item: number of recommendations for each item, if all items have the same number, rounded down.
--
-- range: [0, inf)
SELECT FLOOR(n_slots / NULLIF($among, 0)) AS slots_per_item
FROM runs
