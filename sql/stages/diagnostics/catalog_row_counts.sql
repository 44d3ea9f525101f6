-- catalog_row_counts: the number of rows of each item in the catalogue.
SELECT fold_id, item, COUNT(*) AS n_rows
FROM catalog
WHERE item IS NOT NULL
GROUP BY fold_id, item
