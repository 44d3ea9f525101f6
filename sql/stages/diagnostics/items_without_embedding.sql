-- items_without_embedding: one row per recommended item that has no embedding, or an embedding of length 0.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN embedding_lengths ON recommended_items.item = embedding_lengths.item
WHERE embedding_lengths.item IS NULL
