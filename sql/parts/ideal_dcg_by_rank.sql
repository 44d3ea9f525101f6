-- ideal_dcg_by_rank: sum of gain times discount over the first k items of the ideal list.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount), 0) AS ideal_dcg_by_rank
FROM ideal
WHERE rank <= $k
