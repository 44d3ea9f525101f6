-- test_lists_not_recommended: lists of the test set that no system has
WITH known AS (
  SELECT DISTINCT test_id, 1 AS is_known
  FROM recs
)
SELECT DISTINCT test.test_id
FROM test
LEFT JOIN known ON test.test_id = known.test_id
WHERE known.is_known IS NULL
