-- n_expected: places among the first k whose item is among the first k of the baseline.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_expected
FROM expected
WHERE rank <= $k
