-- divisor: what the shares of the hits are divided by.
SELECT
  n_relevant AS relevant, -- all the relevant items: one that was not found scores 0
  LEAST($k, n_relevant) AS capped -- how many could be found: min(k, relevant)
FROM metrics
