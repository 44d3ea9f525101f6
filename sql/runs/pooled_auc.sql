-- pooled_auc: AUC over the hits of all lists: mean, over the hits, of the share of the irrelevant items of the catalogue that rank below the hit.
--
-- Relevant items that are not in their list do not count. So for short lists the value is near 1.
-- Irrelevant items are counted as for gauc.
-- subject: classification
-- formula: \frac{\sum_{s \in S} \sum_{i=1}^{k} \mathrm{hit}_i
--   \left(1 - \frac{\sum_{j=1}^{i-1} (1 - \mathrm{hit}_j)}{|C| - |H| - |R| + 1}\right)
--   }{\sum_{s \in S} \sum_{i=1}^{k} \mathrm{hit}_i}
-- undefined: there are no hits.
-- range: [0, 1] under the same conditions as gauc
-- source: Anelli et al. (2021), Elliot: a comprehensive and rigorous framework for reproducible recommender systems evaluation. doi:10.1145/3404835.3463245
SELECT SUM(shares_below_hits) / CAST(NULLIF(SUM(CASE WHEN shares_below_hits IS NOT NULL THEN n_hits END), 0) AS DOUBLE) AS pooled_auc
FROM metrics
