-- judged_share: share of the first k recommendations that are in the truth of the list, as relevant or as irrelevant items: 1 - unjudged.
--
-- formula: \frac{|L_k \cap J|}{n}
-- subject: counts
-- undefined: the list is empty.
-- range: [0, 1]
-- aliases: Judged
-- source: Buckley, Voorhees (2004), Retrieval evaluation with incomplete information. doi:10.1145/1008992.1009000
SELECT n_judged_recommendations / CAST(NULLIF(n_recommended, 0) AS DOUBLE) AS judged_share
FROM metrics
