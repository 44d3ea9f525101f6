-- items_with_popularities: items that have several popularities in the items input; the highest counts
--
-- needs: popularity
-- shown: if any
SELECT COUNT(*) AS items_with_popularities
FROM items_with_popularities
