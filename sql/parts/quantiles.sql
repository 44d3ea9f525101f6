-- quantiles: sum of the popularity quantiles of the first k recommendations.
--
-- undefined: the list is empty.
-- range: [0, inf)
SELECT SUM(quantile) AS quantiles
FROM recommended_popularity_quantiles
WHERE rank <= $k
