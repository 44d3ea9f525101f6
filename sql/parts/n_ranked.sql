-- n_ranked: number of candidates among the first k positions, from the pool column.
--
-- undefined: there is no pool column.
-- needs: pool
-- range: [1, inf)
SELECT MAX(LEAST($k, pool)) AS n_ranked
FROM recommendations_with_pool
