-- profile_distance: mean dissimilarity (1 - similarity) of the first k recommendations and the items of the history of the list, by a table of similarities.
--
-- Every pair of a recommendation and an item of the history counts the same. The table of similarities is read as for
-- list_diversity.
-- formula: 1 - \frac{1}{n |H|} \sum_{i=1}^{k} \sum_{x \in H} \mathrm{sim}_{ix}
-- subject: novelty
-- undefined: the list is empty, or has no history.
-- range: [0, 1] if all similarities are between 0 and 1
-- source: Vargas, Castells (2011), Rank and relevance in novelty and diversity metrics for recommender systems, as the distance-based novelty of items. doi:10.1145/2043932.2043955
SELECT 1 - AVG(similarity) AS profile_distance
FROM recommended_with_history_items
WHERE rank <= $k
