-- items_unjudged: distinct recommended items that no list of the truth has
--
-- counted: in doubt
SELECT COUNT(*) AS items_unjudged
FROM recommended_item_flags
WHERE is_in_truth = 0
