-- epc: expected popularity complement: mean share of users who do not know the relevant items, weighted by discount.
--
-- undefined: nothing is relevant, or the history knows nobody.
-- range: [0, 1] while no gain exceeds 1
-- source: Vargas, Castells (2011), Rank and relevance in novelty and diversity metrics for recommender systems. doi:10.1145/2043932.2043955
SELECT CASE WHEN n_relevant > 0 THEN CASE WHEN discounts > 0 THEN rarities_of_hits / discounts ELSE 0 END END AS epc
FROM metrics
