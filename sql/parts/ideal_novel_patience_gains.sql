-- ideal_novel_patience_gains: the novel patience gains of the first k items of the greedy ideal order.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(gain * POWER($p, rank - 1)), 0) AS ideal_novel_patience_gains
FROM ideal_novelty
WHERE rank <= $k
