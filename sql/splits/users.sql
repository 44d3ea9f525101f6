-- users: holds out some items of some random users.
--
-- A user can be tested if at least min_pos_test items are held out, at least min_items_pool items of the data are not in
-- the user's history, some item is left in the history, and the user lacks at least two items of the data. Of these users,
-- as many are tested as users_test_fraction of all users, at most max_test_users. The rules follow the code of recometrics,
-- which differs from its documentation in min_items_pool.
-- source: recometrics split_reco_train_test (split_type separated and joined)
WITH user_items AS (
  SELECT user_hash, COUNT(DISTINCT row_hash) AS n_items
  FROM hashed
  GROUP BY user_hash
),
data_sizes AS (
  SELECT COUNT(DISTINCT user_hash) AS n_users, COUNT(DISTINCT item_id) AS n_data_items
  FROM hashed
),
users_to_take AS (
  SELECT n_data_items, CAST(n_users AS DOUBLE) * $users_test_fraction AS users_to_take
  FROM data_sizes
),
rounded_users AS (
  SELECT
    n_data_items,
    CASE
      WHEN users_to_take - FLOOR(users_to_take) = 0.5 THEN 2 * FLOOR(users_to_take / 2 + 0.5)
      ELSE FLOOR(users_to_take + 0.5)
    END AS n_users_to_take
  FROM users_to_take
),
user_sizes AS (
  SELECT user_hash, n_items, FLOOR(n_items * $items_test_fraction + 0.5) AS n_test
  FROM user_items
),
eligible_users AS (
  SELECT
    user_hash,
    n_test,
    n_users_to_take,
    ROW_NUMBER() OVER (ORDER BY user_hash NULLS FIRST) AS user_number
  FROM user_sizes
  CROSS JOIN rounded_users
  WHERE n_test >= $min_pos_test
    AND n_data_items - (n_items - n_test) >= $min_items_pool
    AND n_items + 1 < n_data_items
    AND (n_test < n_items OR $consider_cold_start = 1)
),
test_users AS (
  SELECT user_hash AS test_user_hash, n_test
  FROM eligible_users
  WHERE user_number <= LEAST($max_test_users, CASE WHEN n_users_to_take < 1 THEN 1 ELSE n_users_to_take END)
),
numbered_items AS (
  SELECT *, DENSE_RANK() OVER (PARTITION BY user_id ORDER BY row_hash NULLS FIRST) AS item_number
  FROM hashed
)
SELECT
  numbered_items.*,
  CASE
    WHEN test_users.n_test IS NULL THEN 'train'
    WHEN numbered_items.item_number <= test_users.n_test THEN 'test'
    ELSE $mode
  END AS subset
FROM numbered_items
LEFT JOIN test_users ON numbered_items.user_hash = test_users.test_user_hash
