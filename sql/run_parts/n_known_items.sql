-- n_known_items: items that could be recommended.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_known_items
FROM known_items
