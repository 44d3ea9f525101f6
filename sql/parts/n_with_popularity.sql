-- n_with_popularity: number of recommendations among the first k whose item has a popularity.
--
-- range: [0, inf)
SELECT COUNT(n_users) AS n_with_popularity
FROM recommended_popularity
WHERE rank <= $k
