-- accuracy: share of the catalogue that the list classifies correctly: relevant items among the first k, other items not among them.
--
-- A list counts as k items long, even if it holds fewer.
-- formula: \frac{|C| - k - |R| + 2 \sum_{i=1}^{k} \mathrm{hit}_i}{|C|}
-- subject: classification
-- undefined: the catalogue has no items.
-- cutoff: needed
-- range: (-inf, 1]; from 0 if the catalogue has at least k + relevant items
-- source: RecTools 0.19, rectools.metrics.Accuracy
SELECT (n_catalog_items - $k - n_relevant + 2 * n_hits) / CAST(NULLIF(n_catalog_items, 0) AS DOUBLE) AS accuracy
FROM metrics
