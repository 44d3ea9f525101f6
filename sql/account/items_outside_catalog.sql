-- items_outside_catalog: different items recommended that the catalogue has not
--
-- needs: catalog
-- shown: if any
SELECT COUNT(*) AS items_outside_catalog
FROM items_outside_catalog
