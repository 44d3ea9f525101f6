-- items_outside_catalog: one row per recommended item that the catalogue does not have.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN catalog_items ON recommended_items.item = catalog_items.item
WHERE catalog_items.item IS NULL
