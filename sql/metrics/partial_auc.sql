-- partial_auc: share of the pairs of a relevant item and one of the list's first k irrelevant places where the relevant item stands first.
--
-- Items below rank k count, too: the list should hold k irrelevant items beside the relevant ones. An irrelevant place that
-- it does not hold stands behind what it holds, and before the relevant items that it does not hold.
-- undefined: the list has no relevant items.
-- cutoff: needed
-- range: [0, 1]
-- aliases: pAUC
-- source: Hiranandani et al. (2020), Optimization and analysis of the pAp@k metric for recommender systems. PMLR 119
SELECT $positives AS partial_auc
FROM metrics
