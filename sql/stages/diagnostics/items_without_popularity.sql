-- items_without_popularity: one row per recommended item that has no popularity.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN popularity ON recommended_items.item = popularity.item
WHERE popularity.item IS NULL
