-- ideal_agreements: sum, over the depths d down to the end of the list or of its ideal list, of p^(d - 1) times the share of the first d ranks that both lists fill with the same items.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM(POWER($p, rank - 1) * n_shared / rank) AS ideal_agreements
FROM ideal_overlap
WHERE rank <= $k
