-- sorted_baseline: one row per recommendation of the baseline, sorted: list after list, each from its first rank down.
SELECT baseline_id, item, score
FROM baseline
WHERE baseline_id IS NOT NULL AND item IS NOT NULL AND HASH(baseline_id) % $n_parts = $part
ORDER BY baseline.baseline_id, $ties
