-- discount: the weight of a rank: how likely a reader is to look at it.
--
-- The expression of the last choice reads the rank, although its value is 1: Polars 2.0 takes the sum of a constant to be the constant.
SELECT
  LN(2) / LN(rank + 1) AS log2, -- 1 / log2(rank + 1)
  CASE WHEN rank > 2 THEN LN(2) / LN(rank) ELSE CAST(1 AS DOUBLE) END AS lenskit, -- 1 / max(1, log2(rank)): ranks 1 and 2 have the same weight (LensKit)
  LN(2) / LN(rank + 2) AS late, -- 1 / log2(rank + 2): that of the next rank, as code has it that adds 2 to a rank counted from 1
  POWER($p, rank - 1) AS geometric, -- p^(rank - 1)
  CAST(1 AS DOUBLE) / rank AS reciprocal, -- 1 / rank
  CAST(rank AS DOUBLE) / rank AS uniform -- 1 for every rank: no discount
FROM hits
