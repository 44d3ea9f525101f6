-- epc: expected popularity complement: novelty of the hits, by the share of users who do not have the item in their history.
--
-- It is the sum, over the hits, of gain times discount times this share, divided by the sum of the discounts of the first k
-- recommendations.
-- formula: \frac{\sum_{i=1}^{k} g_i d_i \left(1 - u_i / |U|\right)}{\sum_{i=1}^{n} d_i}
-- subject: novelty
-- undefined: the list has no relevant items, or the history has no users.
-- range: [0, 1] if no gain exceeds 1
-- source: Vargas, Castells (2011), Rank and relevance in novelty and diversity metrics for recommender systems. doi:10.1145/2043932.2043955
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN discounts > 0 THEN rarities_of_hits / discounts ELSE 0 END END AS epc
FROM metrics
