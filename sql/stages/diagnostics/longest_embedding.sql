-- longest_embedding: one row: the number of dimensions of the longest embedding.
SELECT MAX(size) AS longest
FROM embedding_sizes
