-- mean_recall: mean of the recall at each of the first k places.
--
-- undefined: nothing is relevant; without a cutoff, the list is empty, too.
-- range: [0, 1]
-- aliases: MAR
-- source: Anelli et al. (2021), Elliot: a comprehensive and rigorous framework for reproducible recommender systems evaluation. doi:10.1145/3404835.3463245
SELECT (n_hits * (COALESCE($k, depth) + 1) - ranks_of_hits) / (COALESCE($k, depth) * NULLIF(n_relevant, 0)) AS mean_recall
FROM metrics
