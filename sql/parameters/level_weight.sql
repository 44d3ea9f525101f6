-- level_weight: the weight of a recall level.
--
-- The expression of the first choice reads the level, although its value is 1: Polars 2.0 takes the sum of a constant to be the constant.
SELECT
  CAST(level AS DOUBLE) / level AS uniform, -- 1 for every level
  LN(2) / LN(level + 1) AS log2, -- 1 / log2(level + 1): the first levels weigh more (DCG)
  CAST(1 AS DOUBLE) / level AS reciprocal -- 1 / level: the first levels weigh most
FROM recall_levels
