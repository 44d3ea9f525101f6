-- popularity_ranks: where each known item stands among all by popularity, from near 0 to 1; ties share their mean place.
SELECT
  popularity.fold_id, popularity.item,
  (popularity_sums.n_up_to - (popularity_sums.n_items - 1) / CAST(2 AS DOUBLE)) / popularity_sums.n_all_items AS quantile
FROM popularity
JOIN popularity_sums ON popularity.fold_id = popularity_sums.fold_id AND popularity.n_users = popularity_sums.n_users
