-- list_embedding_sums: one row per list and dimension, with the sum of the unit embeddings of the first k ranks.
SELECT recommended.list_id, unit_embeddings.dimension, SUM(unit_embeddings.number) AS number
FROM recommended
JOIN unit_embeddings ON recommended.item = unit_embeddings.item
WHERE recommended.rank <= $k
GROUP BY recommended.list_id, unit_embeddings.dimension
