-- vectors: the embedding of each item, number by number; of repeated rows, the highest numbers.
SELECT item, dimension, MAX(embedding) AS number
FROM embeddings
WHERE item IS NOT NULL
GROUP BY item, dimension
