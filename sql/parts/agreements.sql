-- agreements: sum, over the shared items and the depths d at which both lists have the item, of p^(d - 1) / d.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(POWER($p, rank - 1) / rank), 0) AS agreements
FROM overlap_by_position
WHERE rank <= $k
