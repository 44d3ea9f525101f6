-- divisor: the number that the hits are divided by.
SELECT
  LEAST($k, n_relevant) AS capped, -- min(k, relevant items): the number of ranks that are read
  n_relevant AS relevant -- the number of relevant items, also if it is above k
FROM metrics
