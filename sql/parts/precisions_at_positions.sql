-- precisions_at_positions: sum of the precision at each of the ranks 1 to k.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(CAST(1 AS DOUBLE) / rank), 0) AS precisions_at_positions
FROM hits_by_position
WHERE rank <= $k
