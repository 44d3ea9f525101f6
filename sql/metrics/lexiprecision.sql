-- lexiprecision: lexicographic precision: 1 if the list reaches the first recall level at which the two differ at a higher rank than the baseline, -1 if the baseline does.
--
-- Level i is reached at the rank of the i-th hit, if that is among the first k. So the list with the higher first hit is
-- preferred; of the same rank, that with the higher second hit, and so on. The value is 0 if all hits have the same
-- ranks. A list without a baseline is compared with an empty list.
-- formula: \mathrm{sign}(\beta_m - \alpha_m), \quad m = \min \lbrace i : \alpha_i \ne \beta_i \rbrace
-- subject: baseline
-- undefined: the list has no relevant items.
-- range: [-1, 1]
-- source: Diaz (2023), Best-case retrieval evaluation: improving the sensitivity of reciprocal rank with lexicographic precision. arXiv 2306.07908
SELECT
  CASE WHEN n_relevant > 0
    THEN CAST(SIGN(COALESCE(first_level_lost, n_relevant + 1) - COALESCE(first_level_won, n_relevant + 1)) AS DOUBLE)
  END AS lexiprecision
FROM metrics
