-- n_judged_items: number of recommended items among the first k that are judged, relevant or not; each item counts once.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN $judged THEN 1 END) AS n_judged_items
FROM judged_recommended_items
WHERE rank <= $k
