-- n_irrelevant_above_hits: sum, over the hits, of the number of judged irrelevant items above, at most the number of relevant items.
--
-- range: [0, inf)
SELECT COALESCE(SUM(n_irrelevant_above), 0) AS n_irrelevant_above_hits
FROM hits_with_irrelevant_above
WHERE rank <= $k
