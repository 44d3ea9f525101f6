-- recommended_with_embedding: one row per recommendation whose item has an embedding.
SELECT recommended.list_id, recommended.rank
FROM recommended
JOIN embedding_lengths ON recommended.item = embedding_lengths.item
