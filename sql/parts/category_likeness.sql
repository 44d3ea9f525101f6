-- category_likeness: sum of the similarity, by categories, of all pairs among the first k places.
--
-- range: [0, inf)
SELECT COALESCE(SUM($likeness), 0) AS category_likeness
FROM category_overlaps
WHERE rank <= $k
