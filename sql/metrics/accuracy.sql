-- accuracy: share of the items that could be recommended which the list gets right: relevant among the first k, or neither.
--
-- The list is taken to fill all k places.
-- undefined: there is no item that could be recommended.
-- cutoff: needed
-- range: (-inf, 1]; from 0 where k + relevant items could be recommended
-- source: RecTools 0.19, rectools.metrics.Accuracy
SELECT (n_catalog_items - $k - n_relevant + 2 * n_hits) / CAST(NULLIF(n_catalog_items, 0) AS DOUBLE) AS accuracy
FROM metrics
