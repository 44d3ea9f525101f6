-- n_in_baseline: places among the first k whose item is among the first k of the baseline.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_in_baseline
FROM recommended_in_baseline
WHERE rank <= $k
