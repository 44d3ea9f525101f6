-- category_chances_with_mean: one row per system and category with candidates, with its share of recommended candidates and the mean of all categories.
SELECT category_chances.by_id, category_chances.chance, category_chance_means.mean_chance
FROM category_chances
JOIN category_chance_means ON category_chances.by_id = category_chance_means.by_id
