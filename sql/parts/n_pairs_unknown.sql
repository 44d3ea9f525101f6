-- n_pairs_unknown: pairs among the first k places whose similarity is not given.
--
-- range: [0, inf)
SELECT COALESCE(SUM(is_unknown), 0) AS n_pairs_unknown
FROM recommended_pairs
WHERE rank <= $k
