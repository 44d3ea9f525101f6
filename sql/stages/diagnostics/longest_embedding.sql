-- longest_embedding: the number of dimensions of the longest embedding.
SELECT MAX(size) AS longest
FROM embedding_sizes
