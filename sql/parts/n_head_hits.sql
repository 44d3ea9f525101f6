-- n_head_hits: number of hits outside the long tail.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 0 THEN 1 END) AS n_head_hits
FROM hit_popularity_groups
WHERE rank <= $k
