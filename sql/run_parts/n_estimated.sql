-- n_estimated: number of lists for which the direct method has a value.
--
-- range: [0, inf)
SELECT COUNT(dm) AS n_estimated
FROM metrics
