-- catalog_items: the items that could be recommended, in each fold: the items of the catalogue.
--
-- when: input catalog
SELECT DISTINCT fold_id, item
FROM catalog
WHERE item IS NOT NULL
