-- least_item_promoted: number of positions of the baseline between rank k and the last item that is among the first k recommendations of the list.
--
-- formula: \max\left(0, \max_{1 \le i \le k} b_i - 1 - k\right)
-- subject: baseline
-- cutoff: needed
-- undefined: the list has no baseline.
-- better: neither
-- range: [0, inf)
-- source: LensKit 2025, lenskit.metrics.reranking
SELECT CASE WHEN n_baseline > 0 THEN GREATEST(COALESCE(baseline_depth, 0) - 1, $k) - $k END AS least_item_promoted
FROM metrics
