-- ideal_reciprocal_ranks: the novel reciprocal ranks of the first k items of the greedy ideal order.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(gain / rank), 0) AS ideal_reciprocal_ranks
FROM ideal_novelty
WHERE rank <= $k
