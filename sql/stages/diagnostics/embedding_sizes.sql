-- embedding_sizes: one row per item that has an embedding, with the number of dimensions.
SELECT item, COUNT(number) AS size
FROM embedding_numbers
GROUP BY item
