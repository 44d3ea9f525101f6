-- unembedded: the different items recommended that have no embedding, or one of length 0.
SELECT recommended_items.item
FROM recommended_items
LEFT JOIN embedding_lengths ON recommended_items.item = embedding_lengths.item
WHERE embedding_lengths.item IS NULL
