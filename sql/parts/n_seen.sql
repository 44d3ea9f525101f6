-- n_seen: places among the first k whose item the list's owner knew before.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_seen
FROM seen
WHERE rank <= $k
