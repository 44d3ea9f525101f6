-- embedding_lengths: one row per item, with the length of its embedding. Embeddings of length 0 are left out.
SELECT item, SQRT(SUM(number * number)) AS length
FROM embedding_numbers
GROUP BY item
HAVING SUM(number * number) > 0
