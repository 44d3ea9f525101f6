-- categories: the categories of each item, each once.
SELECT DISTINCT item, category
FROM items
WHERE item IS NOT NULL AND category IS NOT NULL
