-- mentioned: the different items recommended, and whether any truth mentions them.
SELECT recommended_items.item, CASE WHEN judged_items.item IS NULL THEN 0 ELSE 1 END AS is_mentioned
FROM recommended_items
LEFT JOIN judged_items ON recommended_items.item = judged_items.item
