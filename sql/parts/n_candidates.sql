-- n_candidates: number of candidates that the list has as rows.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_candidates
FROM recommendations_with_pool
