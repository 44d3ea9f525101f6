-- catalog_items: the items that could be recommended, in each fold: the items of the items input.
--
-- when: input items and not input history and not input catalog
SELECT DISTINCT fold_id, item
FROM items
WHERE item IS NOT NULL
