-- unpopular: the different items recommended that nobody knows.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN popularity ON recommended_items.item = popularity.item
WHERE popularity.item IS NULL
