-- efd: expected free discovery: novelty of the hits, by the self-information of the item; higher is more novel.
--
-- It is the sum, over the hits, of gain times discount times self-information, divided by the sum of the discounts of the
-- first k recommendations. The self-information of an item is -log2 of its share of all interactions.
-- An item without a popularity counts as the least popular item.
-- formula: \frac{\sum_{i=1}^{k} g_i d_i \log_2 \left(\frac{\sum_{x} u_x}{u_i}\right)}{\sum_{i=1}^{n} d_i}
-- subject: novelty
-- undefined: the list has no relevant items.
-- range: [0, inf)
-- source: Vargas, Castells (2011), Rank and relevance in novelty and diversity metrics for recommender systems. doi:10.1145/2043932.2043955
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN discounts > 0 THEN information_of_hits / discounts ELSE 0 END END AS efd
FROM metrics
