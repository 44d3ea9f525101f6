-- patience_gains: sum, over the hits, of gain times the chance p^(rank - 1) that a reader gets there.
--
-- range: [0, inf)
SELECT COALESCE(SUM($gain * POWER($p, rank - 1)), 0) AS patience_gains
FROM hits
WHERE rank <= $k
