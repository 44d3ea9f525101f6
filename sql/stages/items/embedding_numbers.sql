-- embedding_numbers: the embedding of each item, one row per dimension; of repeated rows, the highest number.
SELECT item, dimension, MAX(embedding) AS number
FROM embeddings
WHERE item IS NOT NULL
GROUP BY item, dimension
