-- n_in_baseline: number of recommendations among the first k whose item is also among the first k of the baseline.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_in_baseline
FROM recommended_in_baseline
WHERE rank <= $k
