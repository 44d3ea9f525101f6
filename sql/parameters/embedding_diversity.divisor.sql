-- divisor: the number that the sum of the distances of the pairs is divided by.
SELECT
  1 - (resultant - n_with_embedding) / NULLIF(n_with_embedding * (n_with_embedding - 1), 0) AS pairs, -- the number of pairs
  (n_with_embedding - resultant / NULLIF(n_with_embedding, 0)) / 2 AS items -- the number of items; the value grows with the list (evidently)
FROM metrics
