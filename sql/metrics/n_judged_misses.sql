-- n_judged_misses: number of recommendations among the first k that the truth judges irrelevant; each item counts once.
--
-- formula: |L_k \cap N|
-- subject: counts
-- better: lower
-- range: [0, inf)
-- source: Buckley, Voorhees (2004), Retrieval evaluation with incomplete information. doi:10.1145/1008992.1009000
SELECT COUNT(*) AS n_judged_misses
FROM judged_misses
WHERE rank <= $k
