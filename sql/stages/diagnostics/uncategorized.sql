-- uncategorized: the different items recommended that have no category.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN category_counts ON recommended_items.item = category_counts.item
WHERE category_counts.item IS NULL
