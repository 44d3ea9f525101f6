-- baseline_depth: deepest rank that the baseline gave an item of the first k places.
--
-- undefined: the baseline has none of them.
-- range: [1, inf)
SELECT MAX(baseline_rank) AS baseline_depth
FROM recommended_baseline_ranks
WHERE rank <= $k
