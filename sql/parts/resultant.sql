-- resultant: squared length of the sum of the unit embeddings of the first k recommendations.
--
-- undefined: no item has an embedding.
-- range: [0, inf)
SELECT SUM(number * number) AS resultant
FROM list_embedding_sums
