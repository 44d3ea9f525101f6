-- positives: the relevant items that are compared.
SELECT
  pairs_won / NULLIF(CAST($k AS DOUBLE) * n_relevant, 0) AS "all", -- all relevant items: pAUC@k
  first_pairs_won / NULLIF(CAST($k AS DOUBLE) * LEAST($k, n_relevant), 0) AS first -- the first k relevant items: pAp@k
FROM metrics
