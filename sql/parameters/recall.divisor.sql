-- divisor: what the hits are divided by.
SELECT
  n_relevant AS relevant, -- all the relevant items
  LEAST($k, n_relevant) AS capped -- how many could be found: min(k, relevant)
FROM metrics
