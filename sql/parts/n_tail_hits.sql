-- n_tail_hits: number of hits in the long tail.
--
-- range: [0, inf)
SELECT COUNT(CASE WHEN is_tail = 1 THEN 1 END) AS n_tail_hits
FROM hit_popularity_groups
WHERE rank <= $k
