-- n_known_items: items that could be recommended; of several folds that are taken together, each once.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_known_items
FROM known_items
