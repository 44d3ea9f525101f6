-- ideal_readers: one row per relevant item in the ideal order of a truth list, with the share of the readers who get to it.
--
-- reached: NULL if the probability that a reader stops at the item is unknown.
SELECT
  truth_id, item, rank, merit,
  EXP(SUM(LN(1 - $attention)) OVER (
    PARTITION BY truth_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )) / (1 - $attention) AS reached
FROM ideal_stop_chances
