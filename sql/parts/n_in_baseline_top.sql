-- n_in_baseline_top: number of recommendations among the first k whose item is among the first baseline_k of the baseline.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COUNT(CASE WHEN baseline_rank <= COALESCE($baseline_k, $k) THEN 1 END) AS n_in_baseline_top
FROM recommended_baseline_ranks
WHERE rank <= $k
