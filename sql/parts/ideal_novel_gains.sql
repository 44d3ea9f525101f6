-- ideal_novel_gains: the novel gains of the first k items of the greedy ideal order.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(gain * $discount), 0) AS ideal_novel_gains
FROM ideal_novelty
WHERE rank <= $k
