-- pool_size: number of candidates that the list was ranked from: the pool column or, without it, the last rank of the list.
--
-- undefined: the list is missing or empty.
-- range: [1, inf)
SELECT MAX(pool) AS pool_size
FROM recommendations_with_pool
