-- recs_unranked: recommendations without a rank where others have one
--
-- needs: rank
SELECT COALESCE(SUM(n_unranked), 0) AS recs_unranked
FROM presence
