-- lexirecall: lexicographic recall: 1 if the list reaches the last recall level at which the two differ at a higher rank than the baseline, -1 if the baseline does.
--
-- Level i is reached at the rank of the i-th hit, if that is among the first k. So the list with more hits is
-- preferred; of as many, that with the higher last hit, then that with the higher hit before it. The value is 0 if all
-- hits have the same ranks. A list without a baseline is compared with an empty list.
-- formula: \mathrm{sign}(\beta_{\eta} - \alpha_{\eta}), \quad \eta = \max \lbrace \eta : \alpha_{\eta} \ne \beta_{\eta} \rbrace
-- subject: baseline
-- undefined: the list has no relevant items.
-- range: [-1, 1]
-- preference: over the baseline
-- source: Diaz, Mitra (2023), Recall, robustness, and lexicographic evaluation. arXiv 2302.11370
SELECT
  CASE
    WHEN n_relevant = 0 THEN NULL
    WHEN last_level_won > last_level_lost THEN CAST(1 AS DOUBLE)
    WHEN last_level_lost > last_level_won THEN CAST(-1 AS DOUBLE)
    ELSE CAST(0 AS DOUBLE)
  END AS lexirecall
FROM metrics
