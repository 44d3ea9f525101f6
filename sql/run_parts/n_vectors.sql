-- n_vectors: lists that hold an item.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_vectors
FROM list_lengths
