-- own_agreements: sum, over the depths d down to the end of the list or of its ideal list, of p^(d - 1) times the share of the first d ranks that the ideal list fills.
--
-- cutoff: needed
-- range: [0, inf)
SELECT SUM(POWER($p, rank - 1) * n_ideal / rank) AS own_agreements
FROM ideal_overlap
WHERE rank <= $k
