-- resultant: square of the length of the sum of the first k directions.
--
-- undefined: no item has an embedding.
-- range: [0, inf)
SELECT SUM(number * number) AS resultant
FROM list_embedding_sums
