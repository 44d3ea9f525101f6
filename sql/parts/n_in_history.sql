-- n_in_history: places among the first k whose item the list's owner knew before.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_in_history
FROM recommended_from_history
WHERE rank <= $k
