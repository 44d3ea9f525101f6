-- catalog_row_counts: one row per fold and item of the catalogue, with its number of rows.
SELECT fold_id, item, COUNT(*) AS n_rows
FROM catalog
WHERE item IS NOT NULL
GROUP BY fold_id, item
