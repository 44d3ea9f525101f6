-- catalog_repeated: rows of the catalogue that repeat an item; counted once
--
-- needs: catalog
-- shown: if any
SELECT COALESCE(SUM(times - 1), 0) AS catalog_repeated
FROM catalog_rows
