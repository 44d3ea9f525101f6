-- category_chances_with_mean: one row per system and category with candidates, with its share of recommended candidates and the mean of all categories.
SELECT by_id, chance, AVG(chance) OVER (PARTITION BY by_id) AS mean_chance
FROM category_chances
