-- n_hit_categories: number of categories that have a hit among the first k.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT category) AS n_hit_categories
FROM hit_categories
WHERE rank <= $k
