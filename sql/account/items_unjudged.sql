-- items_unjudged: different items recommended that no truth mentions
--
-- shown: if any
SELECT COUNT(*) AS items_unjudged
FROM mentioned
WHERE is_mentioned = 0
