-- divisor: the number that the hits are divided by.
SELECT
  n_relevant AS relevant, -- the number of relevant items
  LEAST($k, n_relevant) AS capped -- min(k, relevant items): the most hits that are possible
FROM metrics
