-- uncompared: the different items recommended of which no similarity is given.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN compared ON recommended_items.item = compared.item
LEFT JOIN compared_second ON recommended_items.item = compared_second.item
WHERE compared.item IS NULL AND compared_second.item IS NULL
