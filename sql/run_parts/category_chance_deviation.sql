-- category_chance_deviation: sample standard deviation of the shares of the candidates of a category that are recommended.
--
-- undefined: there is only one category.
-- range: [0, inf)
SELECT STDDEV_SAMP(chance) AS category_chance_deviation
FROM category_chances
