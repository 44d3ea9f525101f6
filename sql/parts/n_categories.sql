-- n_categories: number of distinct categories among the first k recommendations.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT category) AS n_categories
FROM recommended_categories
WHERE rank <= $k
