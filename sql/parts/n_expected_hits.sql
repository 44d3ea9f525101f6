-- n_expected_hits: relevant items among the first k places of both the list and the baseline.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_expected_hits
FROM expected_hits
WHERE rank <= $k
