-- precisions_at_positions: sum of the precisions at each of the first k places.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(CAST(1 AS DOUBLE) / rank), 0) AS precisions_at_positions
FROM hits_by_position
WHERE rank <= $k
