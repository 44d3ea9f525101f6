-- n_tagged: places among the first k whose item has a category.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT rank) AS n_tagged
FROM tagged
WHERE rank <= $k
