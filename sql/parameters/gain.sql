-- gain: the value of a hit.
SELECT
  CAST(1 AS DOUBLE) AS "binary", -- 1, whatever the rating
  rating AS linear, -- the rating
  GREATEST(rating, 0) AS positive, -- the rating; a negative rating counts as 0
  POWER(CAST(2 AS DOUBLE), LEAST(rating, 900)) - 1 AS exponential, -- 2^rating - 1
  POWER(CAST(2 AS DOUBLE), LEAST(rating, 900) - COALESCE($rel, 0) + 1) - 1 AS excess -- 2^(rating - rel + 1) - 1
FROM hits
