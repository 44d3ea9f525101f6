-- known_items: the items that could be recommended: those that something is said of, in each fold anew.
SELECT DISTINCT fold_id, item
FROM items
WHERE item IS NOT NULL
