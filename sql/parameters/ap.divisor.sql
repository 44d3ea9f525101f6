-- divisor: the number that the sum of precisions is divided by.
SELECT
  LEAST($k, n_relevant) AS capped, -- min(k, relevant items): the most hits that are possible
  n_relevant AS relevant, -- the number of relevant items
  COALESCE($k, n_recommended) AS k, -- the cutoff; without a cutoff, the length of the list
  LEAST(n_recommended, n_relevant) AS list, -- min(recommendations, relevant items): the most hits that a list of this length can have
  GREATEST(n_hits, 1) AS hits, -- the number of hits, at least 1
  LEAST($cap, n_relevant) AS fixed -- min(cap, relevant items), whatever the cutoff
FROM metrics
