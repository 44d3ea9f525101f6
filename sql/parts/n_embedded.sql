-- n_embedded: places among the first k whose item has an embedding.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_embedded
FROM embedded
WHERE rank <= $k
