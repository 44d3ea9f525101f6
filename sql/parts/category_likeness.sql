-- category_likeness: sum of the category similarity of all pairs among the first k recommendations.
--
-- range: [0, inf)
SELECT COALESCE(SUM($likeness), 0) AS category_likeness
FROM category_overlaps
WHERE rank <= $k
