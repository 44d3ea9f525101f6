-- embedding_numbers: one row per item and dimension of its embedding. Of repeated rows, the highest number counts.
SELECT item, dimension, MAX(embedding) AS number
FROM embeddings
WHERE item IS NOT NULL
GROUP BY item, dimension
