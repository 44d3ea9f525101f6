-- items_without_embedding: different items recommended that have no embedding; left out of what goes by embeddings
--
-- needs: embedding
-- shown: if any
SELECT COUNT(*) AS items_without_embedding
FROM items_without_embedding
