-- longest_embedding: how many numbers the longest embedding has.
SELECT MAX(size) AS longest
FROM embedding_sizes
