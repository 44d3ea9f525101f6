-- n_judged_places: places among the first k whose item the list's truth mentions.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_judged_places
FROM judged_places
WHERE rank <= $k
