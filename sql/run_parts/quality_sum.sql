-- quality_sum: sum of the mean qualities of the recommended categories.
--
-- range: (-inf, inf)
SELECT SUM(quality) AS quality_sum
FROM category_quality_order
