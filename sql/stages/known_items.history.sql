-- known_items: the items that could be recommended: those of the history.
SELECT DISTINCT item
FROM history
WHERE item IS NOT NULL
