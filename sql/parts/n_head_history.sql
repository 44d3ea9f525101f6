-- n_head_history: items outside the long tail that the list's owner knew before.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 0 THEN 1 END) AS n_head_history
FROM history_popularity_groups
