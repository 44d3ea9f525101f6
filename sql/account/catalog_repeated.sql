-- catalog_repeated: rows of the catalogue with a repeated item; counted once
--
-- needs: catalog
-- shown: if any
SELECT COALESCE(SUM(n_rows - 1), 0) AS catalog_repeated
FROM catalog_row_counts
