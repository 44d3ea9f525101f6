-- ranks_of_hits: sum of the ranks of the hits.
--
-- range: [0, inf)
SELECT COALESCE(SUM(rank), 0) AS ranks_of_hits
FROM hits
WHERE rank <= $k
