-- popularity_groups: one row per fold and item that has a popularity, with a flag for the long tail.
--
-- The head holds the most popular items that together have the share `head` of all interactions, and includes the item that
-- crosses this share. The long tail is the rest. Among equally popular items, tie_position decides.
SELECT
  popularity_tie_order.fold_id, popularity_tie_order.item,
  CASE
    WHEN popularity_running_sums.interactions_down_to - popularity_running_sums.n_users * (popularity_running_sums.n_items - popularity_tie_order.tie_position + 1)
      >= $head * popularity_running_sums.n_interactions THEN 1 ELSE 0
  END AS is_tail
FROM popularity_tie_order
JOIN popularity_running_sums
  ON popularity_tie_order.fold_id = popularity_running_sums.fold_id AND popularity_tie_order.n_users = popularity_running_sums.n_users
