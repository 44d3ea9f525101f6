-- known_items: the items that could be recommended: those of the history, in each fold anew.
SELECT DISTINCT fold_id, item
FROM history
WHERE item IS NOT NULL
