-- partial_auc: share of the pairs of a relevant item and one of the first k irrelevant recommendations in which the relevant item ranks higher.
--
-- Relevant items below rank k count too, so the list should hold k irrelevant items besides the relevant items. If it holds
-- fewer, the absent irrelevant items rank below the whole list, and above the relevant items that are not in the list.
-- formula: \frac{1}{k |R|} \sum_{i \ge 1} \mathrm{hit}_i \cdot \max\left(0, k - \sum_{j=1}^{i-1} (1 - \mathrm{hit}_j)\right)
-- subject: classification
-- undefined: the list has no relevant items; with insufficient=undefined, also if it lacks both a relevant item and k irrelevant items.
-- cutoff: needed
-- range: [0, 1]
-- aliases: pAUC
-- source: Hiranandani et al. (2020), Optimization and analysis of the pAp@k metric for recommender systems. PMLR 119
SELECT $insufficient AS partial_auc
FROM metrics
