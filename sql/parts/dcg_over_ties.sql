-- dcg_over_ties: sum, over the hits, of gain times the mean discount of the places that their score takes in the list.
--
-- A place beyond the cutoff counts in the mean, with a discount of 0.
-- range: (-inf, inf)
SELECT COALESCE(SUM($gain * $discount / n_tied), 0) AS dcg_over_ties
FROM tied_hits
WHERE position <= $k
