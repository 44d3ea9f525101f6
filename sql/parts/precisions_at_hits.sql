-- precisions_at_hits: sum, over the hits, of the precision at the rank of the hit.
--
-- range: [0, inf)
SELECT COALESCE(SUM(CAST(hit_number AS DOUBLE) / rank), 0) AS precisions_at_hits
FROM hits
WHERE rank <= $k
