-- recs_unranked: recommendations without a rank where others have one
--
-- needs: rank
SELECT COALESCE(SUM(n_without_rank), 0) AS recs_unranked
FROM recommended_list_counts
