-- n_qualities: number of recommended categories.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_qualities
FROM category_quality_order
