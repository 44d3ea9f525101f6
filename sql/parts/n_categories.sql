-- n_categories: different categories among the first k places.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT category) AS n_categories
FROM recommended_categories
WHERE rank <= $k
