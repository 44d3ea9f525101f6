-- summed_list_vectors: one row per system and item, with the item's number in the sum of the unit vectors of all lists.
--
-- The unit vector of a list of n items has the number 1 / sqrt(n) for each of them.
SELECT impressions.by_id, impressions.item, SUM(1 / SQRT(CAST(list_lengths.length AS DOUBLE))) AS weight
FROM impressions
JOIN list_lengths ON impressions.list_id = list_lengths.list_id
WHERE impressions.rank <= $k
GROUP BY impressions.by_id, impressions.item
