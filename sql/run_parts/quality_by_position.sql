-- quality_by_position: sum of quality times position over the recommended categories, sorted from the lowest quality up.
--
-- range: (-inf, inf)
SELECT SUM(quality * position) AS quality_by_position
FROM category_quality_order
