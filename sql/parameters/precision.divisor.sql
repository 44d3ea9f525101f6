-- divisor: the number that the hits are divided by.
SELECT
  COALESCE($k, n_recommended) AS k, -- the cutoff; without a cutoff, the length of the list
  n_recommended AS list, -- the number of recommendations, at most k
  LEAST($k, n_relevant) AS relevant, -- min(k, relevant items): the most hits that are possible
  LEAST(n_recommended, n_relevant) AS achievable -- min(recommendations, relevant items): the most hits that a list of this length can have
FROM metrics
