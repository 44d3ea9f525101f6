-- recs_without_score: recommendations whose score is NULL or NaN; ranked last if the score decides
--
-- needs: score
-- shown: if any
SELECT COALESCE(SUM(n_without_score), 0) AS recs_without_score
FROM recommended_list_counts
