-- n_pairs_unknown: pairs among the first k places whose similarity is not given.
--
-- range: [0, inf)
SELECT COALESCE(SUM(is_missing), 0) AS n_pairs_unknown
FROM pairs
WHERE rank <= $k
