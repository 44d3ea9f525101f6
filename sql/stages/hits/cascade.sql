-- cascade: one row per hit, with the probabilities that a reader gets to it and stops there.
--
-- stop: the probability that a reader who gets to the hit stops there.
-- reached: the probability that a reader gets to the hit, and so did not stop at an earlier hit.
SELECT
  list_id, rank, stop,
  EXP(SUM(LN(1 - stop)) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )) / (1 - stop) AS reached
FROM stop_chances
