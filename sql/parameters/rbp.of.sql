-- of: what the sum over the hits is a share of.
SELECT
  1 / (1 - CAST($p AS DOUBLE)) AS endless, -- an endless list of hits: 1 / (1 - p)
  (1 - POWER($p, LEAST(n_recommended, n_relevant))) / (1 - CAST($p AS DOUBLE)) AS best -- a list of its length with all hits on top
FROM metrics
