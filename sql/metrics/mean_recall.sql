-- mean_recall: mean of the recall at the cutoffs 1, 2, ..., k.
--
-- Without a cutoff, k is the last rank of the list.
-- formula: \frac{1}{k} \sum_{j=1}^{k} \frac{1}{|R|} \sum_{i=1}^{j} \mathrm{hit}_i
-- subject: hits
-- undefined: the list has no relevant items; without a cutoff, also if the list is empty.
-- range: [0, 1]
-- aliases: MAR
-- source: Anelli et al. (2021), Elliot: a comprehensive and rigorous framework for reproducible recommender systems evaluation. doi:10.1145/3404835.3463245
SELECT (n_hits * (COALESCE($k, depth) + 1) - ranks_of_hits) / (COALESCE($k, depth) * NULLIF(n_relevant, 0)) AS mean_recall
FROM metrics
