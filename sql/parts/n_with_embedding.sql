-- n_with_embedding: number of recommendations among the first k whose item has an embedding.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_with_embedding
FROM recommended_with_embedding
WHERE rank <= $k
