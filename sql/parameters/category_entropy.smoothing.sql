-- smoothing: what is added to the places of each category.
SELECT
  -SUM(weight / total_weight * LN(weight / total_weight)) / LN(2) AS "none", -- nothing
  -(
    SUM((weight + 1e-6) / (total_weight + 1e-6 * n_all_categories) * LN((weight + 1e-6) / (total_weight + 1e-6 * n_all_categories)))
    + (MAX(n_all_categories) - COUNT(*)) * 1e-6 / (MAX(total_weight) + 1e-6 * MAX(n_all_categories)) * LN(1e-6 / (MAX(total_weight) + 1e-6 * MAX(n_all_categories)))
  ) / LN(2) AS lenskit -- 0.000001, those of no place among them
FROM weighted_category_totals
