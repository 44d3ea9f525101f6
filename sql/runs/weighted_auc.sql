-- weighted_auc: mean AUC of the lists, weighted by their numbers of relevant items.
--
-- A list that has only hits, or no hits, has no AUC and does not count.
-- subject: classification
-- formula: \frac{\sum_{s \in S} |R| \cdot \mathrm{auc}}{\sum_{s \in S} |R|}
-- undefined: no list has an AUC.
-- range: [0, 1]
-- source: H. Zhu et al., "Optimized Cost per Click in Taobao Display Advertising" (2017), as GAUC.
SELECT SUM(auc * n_relevant) / CAST(NULLIF(SUM(CASE WHEN auc IS NOT NULL THEN n_relevant END), 0) AS DOUBLE) AS weighted_auc
FROM metrics
