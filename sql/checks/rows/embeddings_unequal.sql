-- embeddings_unequal: Some embeddings have fewer numbers than others, so they cannot be compared number by number.
--
-- All must have the same length. Were they made by two models?
--
-- rows: items whose embedding has fewer dimensions than the longest embedding
-- of: items
-- needs: embedding
-- order: 31
-- say: The embeddings of {n: item; items} have fewer numbers than the longest embedding, such as those of {items}.
--    All embeddings must have the same length, because they are compared number by number.
SELECT embedding_sizes.item
FROM embedding_sizes
CROSS JOIN longest_embedding
WHERE embedding_sizes.size > 0 AND embedding_sizes.size < longest_embedding.longest
