-- known_items: the items that could be recommended: those that something is said of.
SELECT DISTINCT item
FROM items
WHERE item IS NOT NULL
