-- items_unjudged: different items recommended that no truth mentions
--
-- shown: if any
SELECT COUNT(*) AS items_unjudged
FROM recommended_item_flags
WHERE is_in_truth = 0
