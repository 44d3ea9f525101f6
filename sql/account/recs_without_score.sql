-- recs_without_score: recommendations whose score is NULL or NaN; last where the score ranks
--
-- needs: score
-- shown: if any
SELECT COALESCE(SUM(n_without_score), 0) AS recs_without_score
FROM recommended_list_counts
