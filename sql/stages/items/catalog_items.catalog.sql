-- catalog_items: one row per fold and item that could be recommended: an item of the catalogue.
--
-- when: input catalog
SELECT DISTINCT fold_id, item
FROM catalog
WHERE item IS NOT NULL
