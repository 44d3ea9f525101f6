-- popularity_sums: each popularity, with how many items have up to it, how much all items have down to it, and totals.
--
-- Popularities in the place of items: what is sorted as one piece is short, however many items there are.
SELECT
  fold_id, n_users, n_items,
  SUM(n_items) OVER (
    PARTITION BY fold_id ORDER BY n_users NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_up_to,
  SUM(n_items) OVER (PARTITION BY fold_id) AS n_all_items,
  SUM(n_users * n_items) OVER (
    PARTITION BY fold_id ORDER BY n_users DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS down_to,
  SUM(n_users * n_items) OVER (PARTITION BY fold_id) AS total
FROM popularity_levels
