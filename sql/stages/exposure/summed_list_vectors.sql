-- summed_list_vectors: the sum of the unit vectors of all lists, one row per item.
--
-- A list of n items is a vector with 1 / sqrt(n) for each of them.
SELECT impressions.by_id, impressions.item, SUM(1 / SQRT(CAST(list_lengths.length AS DOUBLE))) AS weight
FROM impressions
JOIN list_lengths ON impressions.list_id = list_lengths.list_id
WHERE impressions.rank <= $k
GROUP BY impressions.by_id, impressions.item
