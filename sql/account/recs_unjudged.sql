-- recs_unjudged: recommendations that nobody judged, because the truth of their list does not have them; removed by unjudged=removed
--
-- measured: unjudged = removed
-- shown: if any
SELECT COUNT(*) AS recs_unjudged
FROM unjudged_recommendations
