-- cascade: the hits as a reader meets them who may stop at each.
--
-- stop: the chance that the reader, having come to the hit, is satisfied and stops there.
-- reached: the chance that no hit before it made the reader stop.
SELECT
  list_id, rank, stop,
  EXP(SUM(LN(1 - stop)) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )) / (1 - stop) AS reached
FROM stops
