-- smoothing: the constant that is added to the weight of each category.
SELECT
  -SUM(weight / total_weight * LN(weight / total_weight)) / LN(2) AS "none", -- 0: no smoothing
  -(
    SUM((weight + 1e-6) / (total_weight + 1e-6 * n_all_categories) * LN((weight + 1e-6) / (total_weight + 1e-6 * n_all_categories)))
    + (MAX(n_all_categories) - COUNT(*)) * 1e-6 / (MAX(total_weight) + 1e-6 * MAX(n_all_categories)) * LN(1e-6 / (MAX(total_weight) + 1e-6 * MAX(n_all_categories)))
  ) / LN(2) AS lenskit -- 0.000001, also for categories that the list lacks (LensKit)
FROM weighted_category_totals
