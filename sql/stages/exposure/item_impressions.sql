-- item_impressions: the number of impressions of each item among the first k ranks of all lists.
--
-- weight: the sum of 1 / length over the lists that show the item, once per impression.
SELECT impressions.by_id, impressions.item, COUNT(*) AS n_impressions, SUM(CAST(1 AS DOUBLE) / list_lengths.length) AS weight
FROM impressions
JOIN list_lengths ON impressions.list_id = list_lengths.list_id
WHERE impressions.rank <= $k
GROUP BY impressions.by_id, impressions.item
