-- n_judged_recommendations: number of recommendations among the first k whose item is in the truth of the list.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_judged_recommendations
FROM judged_recommendations
WHERE rank <= $k
