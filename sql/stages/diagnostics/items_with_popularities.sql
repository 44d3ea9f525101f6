-- items_with_popularities: one row per fold and item whose rows in the items input differ in popularity.
SELECT fold_id, item
FROM items
WHERE item IS NOT NULL
GROUP BY fold_id, item
HAVING MIN(popularity) < MAX(popularity)
