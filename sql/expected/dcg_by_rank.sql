-- dcg_by_rank: sum, over the hits, of gain times the mean discount of all ranks whose item has the same score.
SELECT COALESCE(SUM($gain * $discount * chance), 0) AS dcg_by_rank
FROM tied_hits
WHERE position <= $k
