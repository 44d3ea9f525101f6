-- divisor: the divisor of the number of categories.
SELECT
  n_recommended AS list, -- the number of recommendations, at most k
  COALESCE($k, n_recommended) AS k -- the cutoff; without a cutoff, the length of the list
FROM metrics
