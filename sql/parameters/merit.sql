-- merit: the relevant items of a list that should have the same exposure.
SELECT
  CAST(1 AS DOUBLE) AS "all", -- all of them
  rating AS rating -- those with the same rating; a higher rating earns the exposure of higher ranks (Diaz et al. 2020)
FROM ideal_order
