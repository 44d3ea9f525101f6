-- n_in_history: number of recommendations among the first k whose item is in the history of the list.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_in_history
FROM recommended_from_history
WHERE rank <= $k
