-- weight: what a place is worth.
SELECT
  CAST(1 AS DOUBLE) AS uniform, -- 1, wherever it is
  POWER($p, rank - 1) AS geometric, -- p^(rank - 1)
  LN(2) / LN(rank + 1) AS log2 -- 1 / log2(rank + 1)
FROM recommended
