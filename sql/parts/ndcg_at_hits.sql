-- ndcg_at_hits: sum, over the hits, of the ndcg at the rank of the hit.
--
-- range: (-inf, inf)
SELECT COALESCE(SUM(dcg_so_far / NULLIF(ideal_dcg_so_far, 0)), 0) AS ndcg_at_hits
FROM hits_with_ideal_dcg
WHERE rank <= $k
