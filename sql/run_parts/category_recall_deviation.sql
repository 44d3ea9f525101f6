-- category_recall_deviation: sample standard deviation of the recalls of the categories with relevant items.
--
-- undefined: there is only one category.
-- range: [0, inf)
SELECT STDDEV_SAMP(recall) AS category_recall_deviation
FROM category_recalls
