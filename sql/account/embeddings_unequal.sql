-- embeddings_unequal: items whose embedding has fewer dimensions than the longest embedding
--
-- needs: embedding
SELECT COUNT(*) AS embeddings_unequal
FROM short_embeddings
