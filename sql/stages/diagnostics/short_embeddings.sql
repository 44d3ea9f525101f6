-- short_embeddings: the items whose embedding has fewer numbers than another.
SELECT embedding_sizes.item
FROM embedding_sizes
CROSS JOIN longest_embedding
WHERE embedding_sizes.size > 0 AND embedding_sizes.size < longest_embedding.longest
