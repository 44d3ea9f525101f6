-- mean_self_information: mean, over the first k recommendations of all lists, of -log2 of the item's share of all interactions.
--
-- The share is the popularity of the item, divided by the total popularity of all items. An item without a popularity adds 0.
-- A long list counts more than a short list, because every recommendation counts the same.
-- subject: novelty
-- formula: \frac{\sum_{s \in S} \sum_{i=1}^{n} \log_2 \left(\frac{\sum_{x} u_x}{u_i}\right)}{\sum_{s \in S} n}
-- undefined: no list has recommendations.
-- range: [0, inf)
-- source: Castells, Vargas, Wang (2011), Novelty and diversity metrics for recommender systems: choice, discovery and relevance. In: DDR workshop at ECIR
SELECT SUM(information_of_recommendations) / NULLIF(SUM(n_recommended), 0) AS mean_self_information
FROM metrics
