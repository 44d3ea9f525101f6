-- catalog_rows: the items of the catalogue with how many rows each has.
SELECT fold_id, item, COUNT(*) AS times
FROM catalog
WHERE item IS NOT NULL
GROUP BY fold_id, item
