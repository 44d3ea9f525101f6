-- n_candidate_categories: number of categories with candidates.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_candidate_categories
FROM category_chances
