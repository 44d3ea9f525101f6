-- of: the highest possible value, which the sum over the hits is divided by.
SELECT
  1 / (1 - CAST($p AS DOUBLE)) AS endless, -- the value of an endless list of hits: 1 / (1 - p)
  (1 - POWER($p, LEAST(n_recommended, n_relevant))) / (1 - CAST($p AS DOUBLE)) AS best -- the value of a list of the same length with all its possible hits on top
FROM metrics
