-- dcg_over_ties: sum, over the hits, of gain times the mean discount of all ranks whose item has the same score.
--
-- A rank beyond the cutoff counts in this mean with discount 0.
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount * chance), 0) AS dcg_over_ties
FROM tied_hits
WHERE position <= $k
