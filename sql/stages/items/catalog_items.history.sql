-- catalog_items: one row per fold and item that could be recommended: an item of the history.
--
-- when: input history and not input catalog
SELECT DISTINCT fold_id, item
FROM history
WHERE item IS NOT NULL
