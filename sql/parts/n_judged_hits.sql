-- n_judged_hits: number of hits among the first k, each item once.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_judged_hits
FROM hits_with_irrelevant_above
WHERE rank <= $k
