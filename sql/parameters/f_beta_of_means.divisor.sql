-- divisor: the number that the hits of a list are divided by for its precision.
SELECT
  COALESCE($k, n_recommended) AS k, -- the cutoff; without a cutoff, the length of the list
  n_recommended AS list -- the number of recommendations, at most k
FROM metrics
