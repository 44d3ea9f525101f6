-- category_recall_variance: variance of the recalls of the categories with relevant items: mean of the squares of their differences from their mean.
--
-- range: [0, inf)
SELECT AVG(POWER(recall - mean_recall, 2)) AS category_recall_variance
FROM category_recalls_with_mean
