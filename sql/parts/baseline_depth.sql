-- baseline_depth: largest rank that the baseline gives to an item of the first k recommendations.
--
-- undefined: the baseline has none of these items.
-- range: [1, inf)
SELECT MAX(baseline_rank) AS baseline_depth
FROM recommended_baseline_ranks
WHERE rank <= $k
