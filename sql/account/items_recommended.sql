-- items_recommended: distinct recommended items
SELECT COUNT(*) AS items_recommended
FROM recommended_item_flags
