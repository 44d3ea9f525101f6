-- recs_with_null_id: recommendations with a NULL id; left out
--
-- shown: if any
SELECT COUNT(*) AS recs_with_null_id
FROM recs_with_null_id
