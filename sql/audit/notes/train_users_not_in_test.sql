-- train_users_not_in_test: users (or other owners) of the train set of whom the test set has no row
WITH known AS (
  SELECT DISTINCT train_id, 1 AS is_known
  FROM test
)
SELECT DISTINCT train.train_id
FROM train
LEFT JOIN known ON train.train_id = known.train_id
WHERE known.is_known IS NULL
