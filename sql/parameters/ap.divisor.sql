-- divisor: what the sum of precisions is divided by.
SELECT
  LEAST($k, n_relevant) AS capped, -- how many could be found: min(k, relevant)
  n_relevant AS relevant, -- all the relevant items
  COALESCE($k, n_recommended) AS k, -- the cutoff; without one, the list's length
  LEAST(n_recommended, n_relevant) AS list, -- how many the list had room for: min(recommended, relevant)
  GREATEST(n_hits, 1) AS hits, -- how many were found
  LEAST($cap, n_relevant) AS fixed -- min(cap, relevant), whatever the cutoff
FROM metrics
