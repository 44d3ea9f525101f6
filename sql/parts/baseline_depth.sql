-- baseline_depth: largest rank that one of the first k recommendations has in the baseline.
--
-- undefined: the baseline has none of these items.
-- range: [1, inf)
SELECT MAX(baseline_rank) AS baseline_depth
FROM recommended_baseline_ranks
WHERE rank <= $k
