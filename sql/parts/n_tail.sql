-- n_tail: number of items in the long tail.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 1 THEN 1 END) AS n_tail
FROM popularity_groups
