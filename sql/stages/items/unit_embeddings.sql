-- unit_embeddings: one row per item and dimension of its embedding, scaled to length 1.
SELECT embedding_numbers.item, embedding_numbers.dimension, embedding_numbers.number / embedding_lengths.length AS number
FROM embedding_numbers
JOIN embedding_lengths ON embedding_numbers.item = embedding_lengths.item
