-- pairs_won: pairs of a hit and one of the first k irrelevant places where the hit stands first.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM($k - (rank - hit_number)), 0) AS pairs_won
FROM hits
WHERE rank - hit_number < $k
