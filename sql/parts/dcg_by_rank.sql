-- dcg_by_rank: sum of gain times discount over the hits.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount), 0) AS dcg_by_rank
FROM hits
WHERE rank <= $k
