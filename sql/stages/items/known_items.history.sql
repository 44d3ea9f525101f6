-- known_items: the items that could be recommended: those of the history, in each fold anew.
--
-- when: input history and not input catalog
SELECT DISTINCT fold_id, item
FROM history
WHERE item IS NOT NULL
