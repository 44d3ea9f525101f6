-- n_baseline: number of items among the first k of the baseline.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_baseline
FROM baseline_top_items
WHERE rank <= $k
