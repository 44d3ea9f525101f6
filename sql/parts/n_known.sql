-- n_known: items that could be recommended.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_known
FROM known_items
