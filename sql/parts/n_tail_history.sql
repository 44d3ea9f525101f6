-- n_tail_history: number of items of the long tail in the history of the list.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 1 THEN 1 END) AS n_tail_history
FROM history_popularity_groups
