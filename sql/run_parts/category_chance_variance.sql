-- category_chance_variance: variance of the shares of the candidates of a category that are recommended: mean of the squares of their differences from their mean.
--
-- range: [0, inf)
SELECT AVG(POWER(chance - mean_chance, 2)) AS category_chance_variance
FROM category_chances_with_mean
