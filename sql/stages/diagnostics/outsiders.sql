-- outsiders: the different items recommended that the catalogue has not.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN known_items ON recommended_items.item = known_items.item
WHERE known_items.item IS NULL
