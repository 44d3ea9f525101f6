-- dcg_by_rank: sum, over the hits, of gain times discount.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount), 0) AS dcg_by_rank
FROM hits
WHERE rank <= $k
