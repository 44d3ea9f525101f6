-- first_hit_chances: one row per rank that may hold the first hit of its list, over all orders of equal scores.
--
-- These are ranks of the highest score that has a hit. With h rows of hits and m misses of this score, place x holds the
-- first hit if the places before it hold misses: m / (h + m) * (m - 1) / (h + m - 1) * ... times h / (h + m - x).
-- chance: the share of the orders in which the rank holds the first hit.
SELECT
  list_id, rank, position,
  EXP(SUM(LN(CASE WHEN place = 0 THEN CAST(1 AS DOUBLE) ELSE CAST(n_misses - place + 1 AS DOUBLE) / (n_rows + n_misses - place + 1) END)) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )) * n_rows / (n_rows + n_misses - place) AS chance
FROM hit_chances
WHERE n_hits_above = 0 AND place <= n_misses
