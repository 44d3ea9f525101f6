-- misses_before_hits: pairs of a miss and a hit in the list where the miss stands first.
--
-- range: [0, inf)
SELECT COALESCE(SUM(rank - hit_number), 0) AS misses_before_hits
FROM hits
WHERE rank <= $k
