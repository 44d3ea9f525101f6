-- agreements: sum of p^(d - 1) / d over the shared items and, for each, over the depths d at which both lists have it.
--
-- cutoff: needed
-- range: [0, inf)
SELECT COALESCE(SUM(POWER($p, rank - 1) / rank), 0) AS agreements
FROM overlap_by_position
WHERE rank <= $k
