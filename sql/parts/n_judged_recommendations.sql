-- n_judged_recommendations: places among the first k whose item the list's truth mentions.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_judged_recommendations
FROM judged_recommendations
WHERE rank <= $k
