-- recs_without_expected_reward: the rows of recommendations whose expected reward is NULL or infinite.
SELECT list_id, item
FROM recs
WHERE
  list_id IS NOT NULL AND item IS NOT NULL
  AND (expected_reward IS NULL OR ABS(expected_reward) = CAST('Infinity' AS DOUBLE))
