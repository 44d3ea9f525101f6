-- n_hits_in_baseline: number of relevant items that are among the first k of both the list and the baseline.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_hits_in_baseline
FROM hits_in_baseline
WHERE rank <= $k
