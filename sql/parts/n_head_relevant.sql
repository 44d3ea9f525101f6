-- n_head_relevant: number of relevant items outside the long tail.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT CASE WHEN is_tail = 0 THEN item END) AS n_head_relevant
FROM relevant_popularity_groups
