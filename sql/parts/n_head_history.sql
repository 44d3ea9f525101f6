-- n_head_history: number of items outside the long tail in the history of the list.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 0 THEN 1 END) AS n_head_history
FROM history_popularity_groups
