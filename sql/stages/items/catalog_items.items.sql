-- catalog_items: one row per fold and item that could be recommended: an item of the items input.
--
-- when: input items and not input history and not input catalog
SELECT DISTINCT fold_id, item
FROM items
WHERE item IS NOT NULL
