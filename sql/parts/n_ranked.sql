-- n_ranked: how many candidates stood among the first k places, by what the pool column says.
--
-- undefined: there is no pool column.
-- needs: pool
-- range: [1, inf)
SELECT MAX(LEAST($k, pool)) AS n_ranked
FROM candidates
