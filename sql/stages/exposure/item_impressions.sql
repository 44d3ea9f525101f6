-- item_impressions: one row per system and item, with the number of its impressions among the first k ranks of all lists.
--
-- weight: the sum, over these impressions, of 1 / length of the list.
SELECT impressions.by_id, impressions.item, COUNT(*) AS n_impressions, SUM(CAST(1 AS DOUBLE) / list_lengths.length) AS weight
FROM impressions
JOIN list_lengths ON impressions.list_id = list_lengths.list_id
WHERE impressions.rank <= $k
GROUP BY impressions.by_id, impressions.item
