-- n_judged_hits: relevant items found among the first k, each once.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_judged_hits
FROM hits_with_irrelevant_above
WHERE rank <= $k
