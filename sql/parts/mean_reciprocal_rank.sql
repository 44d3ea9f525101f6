-- mean_reciprocal_rank: mean of 1 / rank of the first hit over all orders of equal scores.
--
-- range: [0, 1]
SELECT COALESCE(SUM(chance / rank), 0) AS mean_reciprocal_rank
FROM first_hit_chances
WHERE position <= $k
