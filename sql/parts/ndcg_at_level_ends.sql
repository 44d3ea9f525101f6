-- ndcg_at_level_ends: sum of the ndcg at the last rank that each gain has in the ideal list.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount / NULLIF(ideal_dcg_so_far, 0)), 0) AS ndcg_at_level_ends
FROM hits_by_level
WHERE rank <= $k
