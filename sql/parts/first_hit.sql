-- first_hit: rank of the first relevant item among the first k.
--
-- undefined: nothing relevant was found.
-- range: [1, inf)
SELECT MIN(rank) AS first_hit
FROM hits
WHERE rank <= $k
