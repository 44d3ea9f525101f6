-- items_without_similarity: distinct recommended items that the similarity table does not have
--
-- needs: similarity
SELECT COUNT(*) AS items_without_similarity
FROM items_without_similarity
