-- recs_unjudged: recommendations that nobody judged; removed from their lists by the policy `unjudged`
--
-- measured: unjudged
-- shown: if any
SELECT COUNT(*) AS recs_unjudged
FROM unjudged_recommendations
