-- n_distinct_items: number of distinct items among the first k recommendations.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_distinct_items
FROM recommended
WHERE rank <= $k
