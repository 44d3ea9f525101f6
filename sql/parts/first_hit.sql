-- first_hit: rank of the first hit.
--
-- undefined: the list has no hits among the first k.
-- range: [1, inf)
SELECT MIN(rank) AS first_hit
FROM hits
WHERE rank <= $k
