-- agreements: sum, over the items in common, of p^(d - 1) / d over all depths d to which both have it.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(POWER($p, rank - 1) / rank), 0) AS agreements
FROM overlap_by_position
WHERE rank <= $k
