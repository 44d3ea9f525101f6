-- known_items: the items that could be recommended: those of the catalogue, in each fold anew.
--
-- when: input catalog
SELECT DISTINCT fold_id, item
FROM catalog
WHERE item IS NOT NULL
