-- averaged_agreements: sum, over the depths d, of p^(d - 1) times the agreement RBO^a; the last depth has the weight of all depths below it.
--
-- cutoff: needed
-- range: [0, inf)
SELECT
  COALESCE(SUM(CASE
    WHEN rank < LEAST(last_rank, $k) THEN POWER($p, rank - 1) * averaged
    WHEN rank = LEAST(last_rank, $k) THEN POWER($p, rank - 1) / (1 - $p) * averaged
  END), 0) AS averaged_agreements
FROM extrapolated_in_ties
WHERE rank <= $k
