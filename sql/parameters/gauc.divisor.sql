-- divisor: the number that the sum of shares is divided by.
SELECT
  n_relevant AS relevant, -- the number of relevant items: a relevant item that is not recommended adds 0
  LEAST($k, n_relevant) AS capped -- min(k, relevant items): the most hits that are possible
FROM metrics
