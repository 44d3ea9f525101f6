-- misses_before_hits: mean number of pairs of a miss and a hit of the list in which the miss ranks higher.
SELECT COALESCE(SUM(chance * (rank - hit_number)), 0) AS misses_before_hits
FROM hit_chances
WHERE position <= $k
