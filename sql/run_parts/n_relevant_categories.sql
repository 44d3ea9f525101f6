-- n_relevant_categories: number of categories with relevant items.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_relevant_categories
FROM category_recalls
