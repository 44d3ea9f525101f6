-- patience_gains: sum, over the hits, of gain times the mean of p^(rank - 1) over all ranks whose item has the same score.
SELECT COALESCE(SUM($gain * POWER($p, rank - 1) * chance), 0) AS patience_gains
FROM tied_hits
WHERE position <= $k
