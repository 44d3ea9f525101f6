-- embedding_sizes: the number of dimensions of the embedding of each item.
SELECT item, COUNT(number) AS size
FROM embedding_numbers
GROUP BY item
