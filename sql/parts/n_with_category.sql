-- n_with_category: number of recommendations among the first k whose item has a category.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT rank) AS n_with_category
FROM recommended_categories
WHERE rank <= $k
