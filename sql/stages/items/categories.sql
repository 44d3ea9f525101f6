-- categories: the categories of each item, each once per fold.
SELECT DISTINCT fold_id, item, category
FROM items
WHERE item IS NOT NULL AND category IS NOT NULL
