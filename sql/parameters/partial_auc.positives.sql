-- positives: which relevant items are compared.
SELECT
  pairs_won / NULLIF(CAST($k AS DOUBLE) * n_relevant, 0) AS "all", -- all of them: pAUC@k
  first_pairs_won / NULLIF(CAST($k AS DOUBLE) * LEAST($k, n_relevant), 0) AS first -- the first k of them: pAp@k
FROM metrics
