-- items_recommended: different items recommended
SELECT COUNT(*) AS items_recommended
FROM recommended_item_flags
