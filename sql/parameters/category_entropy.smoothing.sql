-- smoothing: what is added to the places of each category.
SELECT
  -SUM(mass / total * LN(mass / total)) / LN(2) AS "none", -- nothing
  -(
    SUM((mass + 1e-6) / (total + 1e-6 * n_kinds) * LN((mass + 1e-6) / (total + 1e-6 * n_kinds)))
    + (MAX(n_kinds) - COUNT(*)) * 1e-6 / (MAX(total) + 1e-6 * MAX(n_kinds)) * LN(1e-6 / (MAX(total) + 1e-6 * MAX(n_kinds)))
  ) / LN(2) AS lenskit -- 0.000001, those of no place among them
FROM category_shares
