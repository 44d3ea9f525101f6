-- category_recalls_with_mean: one row per system and category with relevant items, with its recall and the mean of all categories.
SELECT category_recalls.by_id, category_recalls.recall, category_recall_means.mean_recall
FROM category_recalls
JOIN category_recall_means ON category_recalls.by_id = category_recall_means.by_id
