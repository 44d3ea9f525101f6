-- n_head: number of items outside the long tail.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 0 THEN 1 END) AS n_head
FROM popularity_groups
