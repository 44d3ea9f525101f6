-- unjudged: share of the first k recommendations that are not in the truth of the list, neither as relevant nor as irrelevant.
--
-- formula: 1 - \frac{|L_k \cap J|}{n}
-- subject: counts
-- undefined: the list is empty.
-- better: lower
-- range: [0, 1]
-- source: Buckley, Voorhees (2004), Retrieval evaluation with incomplete information. doi:10.1145/1008992.1009000
SELECT 1 - n_judged_recommendations / CAST(NULLIF(n_recommended, 0) AS DOUBLE) AS unjudged
FROM metrics
