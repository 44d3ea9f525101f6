-- misses_before_hits: number of pairs of a miss and a hit of the list in which the miss ranks higher.
--
-- range: [0, inf)
SELECT COALESCE(SUM(rank - hit_number), 0) AS misses_before_hits
FROM hits
WHERE rank <= $k
