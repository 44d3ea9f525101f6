-- items_recommended: distinct recommended items
--
-- counted: in doubt
SELECT COUNT(*) AS items_recommended
FROM recommended_item_flags
