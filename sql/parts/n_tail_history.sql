-- n_tail_history: items of the long tail that the list's owner knew before.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 1 THEN 1 END) AS n_tail_history
FROM history_popularity_groups
