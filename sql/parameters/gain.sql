-- gain: what a relevant item is worth.
SELECT
  CAST(1 AS DOUBLE) AS "binary", -- 1, whatever its rating
  rating AS linear, -- its rating
  GREATEST(rating, 0) AS positive, -- its rating; a negative one counts as 0
  POWER(CAST(2 AS DOUBLE), rating) - 1 AS exponential, -- 2^rating - 1
  POWER(CAST(2 AS DOUBLE), rating - COALESCE($rel, 0) + 1) - 1 AS excess -- 2^(rating - rel + 1) - 1
FROM hits
