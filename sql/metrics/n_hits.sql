-- n_hits: number of relevant items among the first k recommendations.
--
-- An item that is recommended twice counts once.
-- formula: \sum_{i=1}^{k} \mathrm{hit}_i
-- subject: counts
-- range: [0, inf)
SELECT COUNT(*) AS n_hits
FROM hits
WHERE rank <= $k
