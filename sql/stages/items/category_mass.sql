-- category_mass: how much of the first k places of a list each category has.
SELECT list_id, category, SUM($weight) AS mass
FROM tagged
WHERE rank <= $k
GROUP BY list_id, category
