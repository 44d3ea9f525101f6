-- corrected_agreements: sum, over the depths d, of p^(d - 1) times the agreement RBO^b; the last depth has the weight of all depths below it.
--
-- cutoff: needed
-- range: [0, inf)
SELECT
  COALESCE(SUM(CASE
    WHEN rank < LEAST(last_rank, $k) THEN POWER($p, rank - 1) * corrected
    WHEN rank = LEAST(last_rank, $k) THEN POWER($p, rank - 1) / (1 - $p) * corrected
  END), 0) AS corrected_agreements
FROM extrapolated_in_ties
WHERE rank <= $k
