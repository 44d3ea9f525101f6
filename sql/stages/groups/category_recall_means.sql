-- category_recall_means: one row per system, with the mean recall of its categories.
SELECT by_id, AVG(recall) AS mean_recall
FROM category_recalls
GROUP BY by_id
