-- directions: each item's embedding at length 1, number by number.
SELECT vectors.item, vectors.dimension, vectors.number / embedding_lengths.length AS part
FROM vectors
JOIN embedding_lengths ON vectors.item = embedding_lengths.item
