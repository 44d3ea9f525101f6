-- items_without_similarity: one row per recommended item that the similarity table does not have.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN items_compared_first ON recommended_items.item = items_compared_first.item
LEFT JOIN items_compared_second ON recommended_items.item = items_compared_second.item
WHERE items_compared_first.item IS NULL AND items_compared_second.item IS NULL
