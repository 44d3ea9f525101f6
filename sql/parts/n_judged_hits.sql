-- n_judged_hits: relevant items found among the first k, each once.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_judged_hits
FROM outranked
WHERE rank <= $k
