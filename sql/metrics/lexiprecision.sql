-- lexiprecision: lexicographic precision: 1 if the list reaches the first recall level at which the two differ at a higher rank than the baseline, -1 if the baseline does.
--
-- Level i is reached at the rank of the i-th hit, if that is among the first k. So the list with the higher first hit is
-- preferred; of the same rank, that with the higher second hit, and so on. The value is 0 if all hits have the same
-- ranks. A list without a baseline is compared with an empty list.
-- formula: \mathrm{sign}(\beta_{\eta} - \alpha_{\eta}), \quad \eta = \min \lbrace \eta : \alpha_{\eta} \ne \beta_{\eta} \rbrace
-- subject: baseline
-- undefined: the list has no relevant items.
-- range: [-1, 1]
-- preference: over the baseline
-- source: Diaz (2023), Best-case retrieval evaluation: improving the sensitivity of reciprocal rank with lexicographic precision. arXiv 2306.07908
SELECT
  CASE
    WHEN n_relevant = 0 THEN NULL
    WHEN first_level_won < COALESCE(first_level_lost, n_relevant + 1) THEN CAST(1 AS DOUBLE)
    WHEN first_level_lost < COALESCE(first_level_won, n_relevant + 1) THEN CAST(-1 AS DOUBLE)
    ELSE CAST(0 AS DOUBLE)
  END AS lexiprecision
FROM metrics
