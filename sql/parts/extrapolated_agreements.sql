-- extrapolated_agreements: sum, over the shared items and the depths d at which both lists have the item, of p^(d - 1) / d; the lists go on as before their ends.
--
-- The last rank before the end of a list has the weight of all depths below it: p^(d - 1) / (1 - p).
-- cutoff: needed
-- range: [0, inf)
SELECT
  COALESCE(SUM(CASE
    WHEN rank < LEAST(last_rank, $k) THEN POWER($p, rank - 1) / rank
    WHEN rank = LEAST(last_rank, $k) THEN POWER($p, rank - 1) / (1 - $p) / rank
  END), 0) AS extrapolated_agreements
FROM overlap_to_lengths
WHERE rank <= $k
