-- first_hit_weight: weight of the first hit; 0 without a hit among the first k.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CASE WHEN hit_number = 1 THEN weight END), 0) AS first_hit_weight
FROM weighted_hits
WHERE rank <= $k
