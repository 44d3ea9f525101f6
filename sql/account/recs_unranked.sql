-- recs_unranked: recommendations without a rank, while others have a rank
--
-- needs: rank
SELECT COALESCE(SUM(n_without_rank), 0) AS recs_unranked
FROM recommended_list_counts
