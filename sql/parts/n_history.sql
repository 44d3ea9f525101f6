-- n_history: number of items in the history of the list.
--
-- range: [0, inf)
SELECT COUNT(*) AS n_history
FROM history_items
