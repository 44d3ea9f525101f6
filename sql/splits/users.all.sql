-- users: holds out some random items of every user.
--
-- The number of test items of a user is items_test_fraction of the user's items, rounded to the nearest number. It may be 0.
-- source: recometrics split_reco_train_test (split_type all)
WITH numbered_items AS (
  SELECT *, DENSE_RANK() OVER (PARTITION BY user_id ORDER BY row_hash NULLS FIRST) AS item_number
  FROM hashed
),
item_counts AS (
  SELECT *, MAX(item_number) OVER (PARTITION BY user_id) AS n_items
  FROM numbered_items
)
SELECT
  *,
  CASE WHEN item_number <= FLOOR(n_items * $items_test_fraction + 0.5) THEN 'test' ELSE 'train' END AS subset
FROM item_counts
