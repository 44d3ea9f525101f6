-- resultants: the sum of the directions of the first k places of a list, number by number.
SELECT recommended.list_id, directions.dimension, SUM(directions.part) AS total
FROM recommended
JOIN directions ON recommended.item = directions.item
WHERE recommended.rank <= $k
GROUP BY recommended.list_id, directions.dimension
