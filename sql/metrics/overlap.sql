-- overlap: share of the first k recommendations that are also among the first items of the baseline: 1 - unexpectedness.
--
-- The baseline counts down to rank baseline_k, by default k.
-- formula: \frac{|L_k \cap B_k|}{n}
-- subject: baseline
-- cutoff: needed
-- undefined: the list is empty, or has no baseline.
-- better: neither
-- range: [0, 1]
-- source: RecTools 0.19, rectools.metrics.Intersection
SELECT CASE WHEN n_recommended > 0 AND n_baseline > 0 THEN n_in_baseline_top / CAST(n_recommended AS DOUBLE) ELSE $alone END AS overlap
FROM metrics
