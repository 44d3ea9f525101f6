-- test_users_not_in_train: lists of the test set of which the train set has no row, such as those of new users
WITH known AS (
  SELECT DISTINCT train_id, 1 AS is_known
  FROM train
)
SELECT DISTINCT test.test_id
FROM test
LEFT JOIN known ON test.train_id = known.train_id
WHERE known.is_known IS NULL
