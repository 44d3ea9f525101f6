-- category_chance_means: one row per system, with the mean share of recommended candidates of its categories.
SELECT by_id, AVG(chance) AS mean_chance
FROM category_chances
GROUP BY by_id
