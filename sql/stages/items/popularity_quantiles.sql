-- popularity_quantiles: one row per fold and item, with its popularity as a quantile: near 0 for the least popular item, 1 for the most popular.
--
-- Equally popular items share their mean quantile.
SELECT
  popularity.fold_id, popularity.item,
  (popularity_running_sums.n_items_up_to - (popularity_running_sums.n_items - 1) / CAST(2 AS DOUBLE)) / popularity_running_sums.n_all_items AS quantile
FROM popularity
JOIN popularity_running_sums ON popularity.fold_id = popularity_running_sums.fold_id AND popularity.n_users = popularity_running_sums.n_users
