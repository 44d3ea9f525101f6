-- embeddings_unequal: items whose embedding has fewer numbers than another
--
-- needs: embedding
SELECT COUNT(*) AS embeddings_unequal
FROM short_embeddings
