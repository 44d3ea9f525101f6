-- n_pairs_unknown: number of pairs among the first k recommendations whose similarity is not given.
--
-- range: [0, inf)
SELECT COALESCE(SUM(is_unknown), 0) AS n_pairs_unknown
FROM recommended_pairs
WHERE rank <= $k
