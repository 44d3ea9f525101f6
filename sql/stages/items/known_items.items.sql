-- known_items: the items that could be recommended: those of the items input, in each fold anew.
--
-- when: input items and not input history and not input catalog
SELECT DISTINCT fold_id, item
FROM items
WHERE item IS NOT NULL
