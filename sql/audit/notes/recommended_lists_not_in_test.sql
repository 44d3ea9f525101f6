-- recommended_lists_not_in_test: recommended lists of which the test set has no row: they are not measured
WITH known AS (
  SELECT DISTINCT test_id, 1 AS is_known
  FROM test
)
SELECT DISTINCT recs.list_id
FROM recs
LEFT JOIN known ON recs.test_id = known.test_id
WHERE known.is_known IS NULL
