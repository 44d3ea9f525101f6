-- recs_without_score: recommendations whose score is NULL or NaN; last where the score ranks
--
-- needs: score
-- shown: if any
SELECT COALESCE(SUM(n_scoreless), 0) AS recs_without_score
FROM presence
