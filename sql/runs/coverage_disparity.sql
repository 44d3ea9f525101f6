-- coverage_disparity: VoCD: how unequally often items are recommended: mean, over all pairs of recommended items, of the relative difference of their numbers of recommendations among the first k of all lists.
--
-- The relative difference of a pair is (larger - smaller) / larger: 0 if both are recommended equally often, 0.5 if one of them is half as
-- often. As published, the measure compares only items that are alike, and ignores small differences; here, as in Rampisela et al. (2024),
-- all pairs count.
-- subject: coverage
-- formula: \frac{1}{|X| (|X| - 1)} \sum_{x \in X} \sum_{y \in X} \left(1 - \frac{\min(e_x, e_y)}{\max(e_x, e_y)}\right)
-- undefined: fewer than two items are recommended.
-- better: lower
-- range: [0, 1]
-- aliases: vocd, violation_of_coverage_disparity
-- source: Wang, Wang (2022), Providing item-side individual fairness for deep recommender systems. doi:10.1145/3531146.3533079; Rampisela et al. (2024), Evaluation measures of individual item fairness for recommender systems: a critical study. doi:10.1145/3631943
SELECT 2 * relative_impression_differences / NULLIF(n_recommended_items * (n_recommended_items - 1), 0) AS coverage_disparity
FROM runs
