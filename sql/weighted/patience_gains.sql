-- patience_gains: sum of weight times gain times p^(rank - 1) over the hits.
SELECT COALESCE(SUM($gain * weight * POWER($p, rank - 1)), 0) AS patience_gains
FROM weighted_hits
WHERE rank <= $k
