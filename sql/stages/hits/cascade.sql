-- cascade: the hits, for a reader who reads down the list and may stop at each hit.
--
-- stop: the probability that the reader stops at the hit, once there.
-- reached: the probability that the reader did not stop at an earlier hit.
SELECT
  list_id, rank, stop,
  EXP(SUM(LN(1 - stop)) OVER (
    PARTITION BY list_id ORDER BY rank NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  )) / (1 - stop) AS reached
FROM stop_chances
