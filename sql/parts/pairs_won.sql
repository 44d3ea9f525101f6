-- pairs_won: number of pairs in which the hit ranks higher: pairs of a hit and one of the first k irrelevant positions.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM($k - (rank - hit_number)), 0) AS pairs_won
FROM hits
WHERE rank - hit_number < $k
