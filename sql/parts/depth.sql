-- depth: last rank of the list among the first k.
--
-- undefined: the list is missing or empty.
-- range: [1, inf)
SELECT MAX(rank) AS depth
FROM recommended
WHERE rank <= $k
