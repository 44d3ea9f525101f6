-- readers: one row per recommendation among the first k, with the share of the readers who get to it.
--
-- reached: NULL for all ranks of a list with a hit at which the probability to stop is unknown.
SELECT
  list_id, rank,
  CASE WHEN COUNT(*) OVER (PARTITION BY list_id) = COUNT(stop) OVER (PARTITION BY list_id) THEN
    EXP(SUM(LN(1 - stop)) OVER (
      PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    )) / (1 - stop)
  END AS reached
FROM recommended_stops
