-- catalog_auc: AUC over the whole catalogue, if all items that are not among the first k follow in random order.
--
-- It is the expected share of the pairs of a relevant and an irrelevant item in which the relevant item ranks higher.
-- A list counts as k items long, even if it holds fewer.
-- formula: \frac{\sum_{1 \le i \lt j \le k} \mathrm{hit}_i (1 - \mathrm{hit}_j)
--   + \frac{1}{2} \left(|R| + |L_k \cap R|\right) \left(|C| - |R| - k + |L_k \cap R|\right)}{|R| (|C| - |R|)}
-- subject: classification
-- undefined: the list has no relevant items, or the catalogue has no other items.
-- cutoff: needed
-- range: [0, 1] if the catalogue has at least k + relevant items and all relevant items, and no item counts twice
-- source: `ranking_metrics_at_k` of implicit, as AUC.
SELECT
  (n_hits * ($k - n_hits) - misses_before_hits + CAST(n_hits + n_relevant AS DOUBLE) / 2 * (n_catalog_items - n_relevant - $k + n_hits))
    / NULLIF(CAST(n_relevant AS DOUBLE) * (n_catalog_items - n_relevant), 0) AS catalog_auc
FROM metrics
