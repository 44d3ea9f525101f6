-- items_without_embedding: distinct recommended items without an embedding; left out of metrics of embeddings
--
-- needs: embedding
-- shown: if any
SELECT COUNT(*) AS items_without_embedding
FROM items_without_embedding
