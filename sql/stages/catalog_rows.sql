-- catalog_rows: the items of the catalogue with how many rows each has.
SELECT item, COUNT(*) AS times
FROM catalog
WHERE item IS NOT NULL
GROUP BY item
