-- mean_category_chance: mean share of the candidates of a category that are recommended, over the categories with candidates.
--
-- range: [0, inf)
SELECT AVG(chance) AS mean_category_chance
FROM category_chances_with_mean
