-- short_embeddings: one row per item whose embedding has fewer dimensions than the longest embedding.
SELECT embedding_sizes.item
FROM embedding_sizes
CROSS JOIN longest_embedding
WHERE embedding_sizes.size > 0 AND embedding_sizes.size < longest_embedding.longest
