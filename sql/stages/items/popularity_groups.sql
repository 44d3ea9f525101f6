-- popularity_groups: the known items, and whether each is in the long tail.
--
-- That is: not among the most popular that have `head` of all interactions, the one that crosses that share among them.
-- What more popular items have, and those before it among items as popular, decides.
SELECT
  popularity_order.fold_id, popularity_order.item,
  CASE
    WHEN popularity_sums.down_to - popularity_sums.n_users * (popularity_sums.n_items - popularity_order.place + 1)
      >= $head * popularity_sums.total THEN 1 ELSE 0
  END AS is_tail
FROM popularity_order
JOIN popularity_sums
  ON popularity_order.fold_id = popularity_sums.fold_id AND popularity_order.n_users = popularity_sums.n_users
