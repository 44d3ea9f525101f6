-- n_recommended: number of recommendations among the first k positions.
--
-- An item that is recommended twice counts twice. A missing list has 0.
-- formula: n
-- subject: counts
-- better: neither
-- range: [0, inf)
SELECT COUNT(*) AS n_recommended
FROM recommended
WHERE rank <= $k
