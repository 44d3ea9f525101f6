-- n_distinct_hits: number of relevant items among the first k, each counted once.
--
-- range: [0, inf)
SELECT COUNT(DISTINCT item) AS n_distinct_hits
FROM hits
WHERE rank <= $k
