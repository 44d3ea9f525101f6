-- account: rows, users and items of each subset.
SELECT
  fold,
  COALESCE(subset, 'neither') AS subset,
  COUNT(*) AS n_rows,
  COUNT(DISTINCT user_id) AS n_users,
  COUNT(DISTINCT item_id) AS n_items
FROM assigned
GROUP BY fold, subset
