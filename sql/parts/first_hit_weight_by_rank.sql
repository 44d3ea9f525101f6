-- first_hit_weight_by_rank: weight of the first hit divided by its rank; 0 without a hit among the first k.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CASE WHEN hit_number = 1 THEN weight / rank END), 0) AS first_hit_weight_by_rank
FROM weighted_hits
WHERE rank <= $k
