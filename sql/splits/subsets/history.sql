-- history: the known rows of each test user.
WITH test_users AS (
  SELECT *, MAX(CASE WHEN subset = 'test' THEN 1 ELSE 0 END) OVER (PARTITION BY fold, user_id) AS is_test_user
  FROM assigned
)
SELECT *
FROM test_users
WHERE subset <> 'test' AND is_test_user = 1
