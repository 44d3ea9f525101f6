-- embedding_sizes: how many numbers each item's embedding has.
SELECT item, COUNT(number) AS size
FROM vectors
GROUP BY item
