-- unit_embeddings: the embedding of each item, scaled to length 1, one row per dimension.
SELECT embedding_numbers.item, embedding_numbers.dimension, embedding_numbers.number / embedding_lengths.length AS number
FROM embedding_numbers
JOIN embedding_lengths ON embedding_numbers.item = embedding_lengths.item
