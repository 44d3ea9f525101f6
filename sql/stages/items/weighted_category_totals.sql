-- weighted_category_totals: one row per list and category, with its weight among the first k ranks, and the total weight of the list.
--
-- n_all_categories: the number of distinct categories in the fold.
SELECT
  weighted_category_counts.list_id, weighted_category_counts.category, weighted_category_counts.weight,
  SUM(weighted_category_counts.weight) OVER (PARTITION BY weighted_category_counts.list_id) AS total_weight,
  fold_category_counts.n_all_categories
FROM weighted_category_counts
LEFT JOIN fold_category_counts ON weighted_category_counts.fold_id = fold_category_counts.fold_id
