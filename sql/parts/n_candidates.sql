-- n_candidates: how many candidates the list holds.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_candidates
FROM candidates
