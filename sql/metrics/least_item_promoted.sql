-- least_item_promoted: how many places lay between the first k of the baseline and the deepest of its items that is now among the first k.
--
-- cutoff: needed
-- undefined: the list has no baseline.
-- better: neither
-- range: [0, inf)
-- source: LensKit 2025, lenskit.metrics.reranking
SELECT CASE WHEN n_baseline > 0 THEN GREATEST(COALESCE(baseline_depth, 0) - 1, $k) - $k END AS least_item_promoted
FROM metrics
