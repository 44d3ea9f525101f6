-- chance_of_hit: share of the orders of equal scores in which a relevant item is among the first k recommendations.
--
-- range: [0, 1]
SELECT COALESCE(SUM(chance), 0) AS chance_of_hit
FROM first_hit_chances
WHERE position <= $k
