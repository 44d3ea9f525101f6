-- n_short_head: number of distinct recommended items outside the long tail.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 0 THEN 1 END) AS n_short_head
FROM recommended_popularity_groups
WHERE rank <= $k
