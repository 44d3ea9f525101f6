-- catalog_items: distinct items of the catalogue
--
-- needs: catalog
SELECT COUNT(*) AS catalog_items
FROM catalog_row_counts
