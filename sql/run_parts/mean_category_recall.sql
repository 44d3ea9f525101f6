-- mean_category_recall: mean recall of a category, over the categories with relevant items.
--
-- range: [0, inf)
SELECT AVG(recall) AS mean_category_recall
FROM category_recalls_with_mean
