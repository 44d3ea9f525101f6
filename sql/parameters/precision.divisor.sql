-- divisor: what the hits are divided by.
SELECT
  COALESCE($k, n_recommended) AS k, -- the cutoff; without one, the list's length
  n_recommended AS list, -- how many were recommended, at most k
  LEAST($k, n_relevant) AS relevant -- how many could be found: min(k, relevant)
FROM metrics
