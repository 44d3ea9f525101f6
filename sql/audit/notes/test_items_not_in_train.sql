-- test_items_not_in_train: items of the test set that the train set does not have: most models cannot recommend them
WITH known AS (
  SELECT DISTINCT item, 1 AS is_known
  FROM train
)
SELECT DISTINCT test.item
FROM test
LEFT JOIN known ON test.item = known.item
WHERE known.is_known IS NULL
