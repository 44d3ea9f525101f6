-- items_without_category: the distinct recommended items that have no category.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN item_category_counts ON recommended_items.item = item_category_counts.item
WHERE item_category_counts.item IS NULL
