-- n_irrelevant_above_hits: sum, over the hits, of how many judged irrelevant items stand above, at most as many as are relevant.
--
-- range: [0, inf)
SELECT COALESCE(SUM(n_irrelevant_above), 0) AS n_irrelevant_above_hits
FROM hits_with_irrelevant_above
WHERE rank <= $k
