-- known_items: the items that could be recommended: those of the catalogue.
SELECT DISTINCT item
FROM catalog
WHERE item IS NOT NULL
