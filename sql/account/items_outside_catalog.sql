-- items_outside_catalog: distinct recommended items that the catalogue does not have
--
-- needs: catalog
-- shown: if any
SELECT COUNT(*) AS items_outside_catalog
FROM items_outside_catalog
