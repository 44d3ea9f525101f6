-- n_history: items that the list's owner knew before.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_history
FROM history_items
