-- items_without_popularity: the distinct recommended items that have no popularity.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN popularity ON recommended_items.item = popularity.item
WHERE popularity.item IS NULL
