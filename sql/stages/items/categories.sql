-- categories: one row per fold, item and category.
SELECT DISTINCT fold_id, item, category
FROM items
WHERE item IS NOT NULL AND category IS NOT NULL
