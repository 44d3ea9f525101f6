-- weight: what a place is worth.
--
-- The first choice reads the rank, although it is 1: to Polars 2.0 the sum of a constant is the constant.
SELECT
  CAST(rank AS DOUBLE) / rank AS uniform, -- 1, wherever it is
  POWER($p, rank - 1) AS geometric, -- p^(rank - 1)
  LN(2) / LN(rank + 1) AS log2 -- 1 / log2(rank + 1)
FROM recommended
