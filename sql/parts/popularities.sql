-- popularities: sum of the popularity of the first k recommendations.
--
-- undefined: the list is empty.
-- range: [0, inf)
SELECT SUM(COALESCE(n_users, 0)) AS popularities
FROM recommended_popularity
WHERE rank <= $k
