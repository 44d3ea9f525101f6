-- category_recalls_with_mean: one row per system and category with relevant items, with its recall and the mean of all categories.
SELECT by_id, recall, AVG(recall) OVER (PARTITION BY by_id) AS mean_recall
FROM category_recalls
