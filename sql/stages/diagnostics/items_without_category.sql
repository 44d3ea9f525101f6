-- items_without_category: one row per recommended item that has no category.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN item_category_counts ON recommended_items.item = item_category_counts.item
WHERE item_category_counts.item IS NULL
