-- efd: expected free discovery: mean information of the relevant items by their popularity, weighted by discount; higher is more novel.
--
-- undefined: nothing is relevant.
-- range: [0, inf)
-- source: Vargas, Castells (2011), Rank and relevance in novelty and diversity metrics for recommender systems. doi:10.1145/2043932.2043955
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN discounts > 0 THEN information_of_hits / discounts ELSE 0 END END AS efd
FROM metrics
