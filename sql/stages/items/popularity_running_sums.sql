-- popularity_running_sums: one row per fold and popularity, with running sums of items and interactions, and their totals.
--
-- n_items_up_to: the items with at most this popularity. n_all_items: all items.
-- interactions_down_to: the interactions of the items with at least this popularity. n_interactions: all interactions.
-- The window sorts popularity levels, which are few, and not items.
SELECT
  fold_id, n_users, n_items,
  SUM(n_items) OVER (
    PARTITION BY fold_id ORDER BY n_users NULLS FIRST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS n_items_up_to,
  SUM(n_items) OVER (PARTITION BY fold_id) AS n_all_items,
  SUM(n_users * n_items) OVER (
    PARTITION BY fold_id ORDER BY n_users DESC NULLS LAST ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
  ) AS interactions_down_to,
  SUM(n_users * n_items) OVER (PARTITION BY fold_id) AS n_interactions
FROM popularity_levels
