-- list_embedding_sums: the sum of the unit embeddings of the first k ranks of a list, one row per dimension.
SELECT recommended.list_id, unit_embeddings.dimension, SUM(unit_embeddings.number) AS number
FROM recommended
JOIN unit_embeddings ON recommended.item = unit_embeddings.item
WHERE recommended.rank <= $k
GROUP BY recommended.list_id, unit_embeddings.dimension
