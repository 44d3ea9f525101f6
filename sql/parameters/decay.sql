-- decay: what a hit at a rank is worth to a reader who stops there.
SELECT
  CAST(1 AS DOUBLE) / rank AS reciprocal, -- 1 / rank
  POWER($p, rank - 1) AS geometric -- p^(rank - 1): pFound, where p is the probability that a reader who found nothing at a position goes on
FROM cascade
