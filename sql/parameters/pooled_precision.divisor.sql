-- divisor: the number that each list adds to the divisor.
SELECT
  COALESCE($k, n_recommended) AS k, -- the cutoff; without a cutoff, the length of the list
  n_recommended AS list, -- the number of recommendations, at most k
  LEAST($k, n_relevant) AS relevant -- min(k, relevant items): the most hits that are possible (implicit)
FROM metrics
