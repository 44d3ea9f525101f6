-- divisor: what the sum over the first k places is divided by.
SELECT
  n_recommended AS list, -- how many were recommended, at most k
  COALESCE($k, n_recommended) AS k -- the cutoff; without one, the list's length
FROM metrics
