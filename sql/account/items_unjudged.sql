-- items_unjudged: distinct recommended items in the truth of no list
--
-- shown: if any
SELECT COUNT(*) AS items_unjudged
FROM recommended_item_flags
WHERE is_in_truth = 0
