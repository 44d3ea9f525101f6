-- pool_size: how many candidates the list was ranked from: what its pool column says, else its last rank.
--
-- undefined: the list is missing or empty.
-- range: [1, inf)
SELECT MAX(pool) AS pool_size
FROM candidates
