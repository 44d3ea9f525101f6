-- n_scored: number of lists that the means are taken over.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_scored
FROM metrics
