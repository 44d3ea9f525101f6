-- patience_gains: sum, over the hits, of gain times p^(rank - 1), the probability that a reader reads down to the rank.
--
-- range: [0, inf)
SELECT COALESCE(SUM($gain * POWER($p, rank - 1)), 0) AS patience_gains
FROM hits
WHERE rank <= $k
