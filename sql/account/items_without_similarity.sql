-- items_without_similarity: different items recommended of which no similarity is given
--
-- needs: similarity
SELECT COUNT(*) AS items_without_similarity
FROM items_without_similarity
