-- weight: the weight of a rank.
--
-- The expression of the first choice reads the rank, although its value is 1: Polars 2.0 takes the sum of a constant to be the constant.
SELECT
  CAST(rank AS DOUBLE) / rank AS uniform, -- 1 for every rank
  POWER($p, rank - 1) AS geometric, -- p^(rank - 1)
  LN(2) / LN(rank + 1) AS log2 -- 1 / log2(rank + 1)
FROM recommended
