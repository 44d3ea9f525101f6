-- patience_to_depth: sum of p^(d - 1) over the depths d down to the end of the list or of its ideal list.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM(POWER($p, rank - 1)) AS patience_to_depth
FROM ideal_overlap
WHERE rank <= $k
