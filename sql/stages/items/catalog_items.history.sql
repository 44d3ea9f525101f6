-- catalog_items: the items that could be recommended, in each fold: the items of the history.
--
-- when: input history and not input catalog
SELECT DISTINCT fold_id, item
FROM history
WHERE item IS NOT NULL
