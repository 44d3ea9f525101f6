-- n_tail_relevant: number of relevant items in the long tail.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT CASE WHEN is_tail = 1 THEN item END) AS n_tail_relevant
FROM relevant_popularity_groups
