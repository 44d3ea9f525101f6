-- item_sums: for each item, the sum, over its places, of 1 over the root of the list's length.
SELECT shown.by_id, shown.item, SUM(1 / SQRT(CAST(list_lengths.length AS DOUBLE))) AS weight
FROM shown
JOIN list_lengths ON shown.list_id = list_lengths.list_id
WHERE shown.rank <= $k
GROUP BY shown.by_id, shown.item
